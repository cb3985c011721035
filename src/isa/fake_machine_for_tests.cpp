#include "isa/fake_machine_for_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

namespace kinst::isa::testing {
namespace fake {
namespace {

constexpr std::uint16_t not_saved = Register::no_offset;

// regs[] begins with r0; pt_regs with the flags, and r0 is its last.
constexpr std::array<Register, 11> registers = {{{"r0", 72, {}},
                                                 {"r1", 64, {}},
                                                 {"r2", 56, {}},
                                                 {"r3", 48, {}},
                                                 {"r4", 40, {}},
                                                 {"r5", 32, {}},
                                                 {"r6", 24, {}},
                                                 {"r7", 16, {}},
                                                 {"pc", 8, {}},
                                                 {"flags", 0, {}},
                                                 {"base", not_saved, "thread.base"}}};

constexpr RegisterId reg(unsigned number) {
  return static_cast<RegisterId>(number);
}

constexpr std::array<RegisterName, 14> register_names = {
    {{"R_R0", reg(0)},
     {"R_R1", reg(1)},
     {"R_R2", reg(2)},
     {"R_R3", reg(3)},
     {"R_R4", reg(4)},
     {"R_R5", reg(5)},
     {"R_R6", reg(6)},
     {"R_R7", reg(7)},
     {"R_PC", reg(8)},
     {"R_FLAGS", reg(9)},
     {"R_BASE", reg(10)},
     {"R_FP", reg(frame_pointer)},
     {"R_SP", reg(stack_pointer)},
     {"R_LR", reg(link_register)}}};

constexpr std::array<RegisterId, 4> argument_registers = {reg(0), reg(1), reg(2),
                                                          reg(3)};
constexpr std::array<RegisterId, 8> dwarf_registers = {reg(0), reg(1), reg(2), reg(3),
                                                       reg(4), reg(5), reg(6), reg(7)};

constexpr std::array<std::byte, 4> breakpoint = {std::byte{0}, std::byte{0},
                                                 std::byte{0}, std::byte{3}};
constexpr std::array<std::byte, 4> probe_breakpoint = {std::byte{1}, std::byte{0},
                                                       std::byte{0}, std::byte{3}};
constexpr std::array<std::byte, 4> nop = {std::byte{0}, std::byte{0}, std::byte{0},
                                          std::byte{1}};

// `count` bits of the word from bit 0 on, as a signed number.
std::int64_t signed_field(std::uint32_t word, unsigned count) {
  return static_cast<std::int32_t>(word << (32U - count)) >> (32U - count);
}

// A word's fields.
struct Fields {
  explicit Fields(std::uint32_t word)
      : operation(static_cast<Operation>(word >> 24U)),
        a(word >> 20U & 0xfU),
        b(word >> 16U & 0xfU),
        c(word >> 12U & 0xfU),
        bit(word >> 14U & 0x3fU),
        constant(signed_field(word, 12)),
        branch_words(signed_field(word, 14)),
        far_words(signed_field(word, 24)) {}

  Operation operation;
  unsigned a;
  unsigned b;
  unsigned c;
  unsigned bit;
  std::int64_t constant;
  std::int64_t branch_words;
  std::int64_t far_words;
};

Condition when(RegisterTest test, const Fields& is, std::uint64_t bits) {
  return {.negated = true, .test = test, .tested = reg(is.a), .tested_bits = bits};
}

// What stands behind the name of an operation.
enum class Form : std::uint8_t {
  Nothing,
  Register,       // *a
  Far,            // DISTANCE
  Flags,          // DISTANCE
  Tested,         // a,DISTANCE
  Bit,            // a,#bit,DISTANCE
  Sum,            // a,b,c+constant
  Base,           // a,[b]
  Offset,         // a,[b+constant]
  Indexed,        // a,[b+c*8+constant]
  OffsetBefore,   // a,[b+constant]!
  OffsetAfter,    // a,[b],constant
  RegisterAfter,  // a,[b],c
};

struct Row {
  Operation operation{};
  std::string_view name;
  Form form = Form::Nothing;
  std::optional<InstructionClass> instruction_class = std::nullopt;
  Condition (*condition)(const Fields& is) = nullptr;
};

constexpr std::uint64_t lower_half = 0xffffffff;

constexpr auto rows = std::to_array<Row>({
    {Operation::Nop, "nop"},
    {Operation::Trap, "trap"},
    {Operation::Breakpoint, "break"},
    {Operation::Load, "ld", Form::Offset, InstructionClass::Load},
    {Operation::LoadIndexed, "ld", Form::Indexed, InstructionClass::Load},
    {Operation::LoadBefore, "ld", Form::OffsetBefore, InstructionClass::Load},
    {Operation::LoadAfter, "ld", Form::OffsetAfter, InstructionClass::Load},
    {Operation::LoadByteAfter, "ldb", Form::RegisterAfter, InstructionClass::Load},
    {Operation::Store, "st", Form::Offset, InstructionClass::Store},
    {Operation::StoreBefore, "st", Form::OffsetBefore, InstructionClass::Store},
    {Operation::LoadExclusive, "lx", Form::Base, InstructionClass::Load},
    {Operation::StoreExclusive, "sx", Form::Base, InstructionClass::Store},
    {Operation::Add, "add", Form::Sum},
    {Operation::BranchIfZero, "bz", Form::Tested, InstructionClass::Branch,
     [](const Fields& is) {
       return when(RegisterTest::IsZero, is, ~std::uint64_t{0});
     }},
    {Operation::BranchIfNotZero, "bnz", Form::Tested, InstructionClass::Branch,
     [](const Fields& is) { return when(RegisterTest::IsNotZero, is, lower_half); }},
    {Operation::BranchIfBitSet, "bbs", Form::Bit, InstructionClass::Branch,
     [](const Fields& is) {
       return when(RegisterTest::IsNotZero, is, std::uint64_t{1} << is.bit);
     }},
    {Operation::BranchIfBitClear, "bbc", Form::Bit, InstructionClass::Branch,
     [](const Fields& is) {
       return when(RegisterTest::IsZero, is, std::uint64_t{1} << is.bit);
     }},
    {Operation::BranchIfLowerOrSame, "bls", Form::Flags, InstructionClass::Branch,
     [](const Fields& /*is*/) {
       return Condition{.any_set = zero, .any_clear = carry};
     }},
    {Operation::BranchIfHigher, "bhi", Form::Flags, InstructionClass::Branch,
     [](const Fields& /*is*/) {
       return Condition{.any_set = zero, .any_clear = carry, .negated = true};
     }},
    {Operation::BranchIfLess, "blt", Form::Flags, InstructionClass::Branch,
     [](const Fields& /*is*/) { return Condition{.differ = negative | overflow}; }},
    {Operation::Jump, "jmp", Form::Far, InstructionClass::Jump},
    {Operation::JumpToRegister, "jmp", Form::Register, InstructionClass::Jump},
    {Operation::Call, "call", Form::Far, InstructionClass::Call},
    {Operation::CallRegister, "call", Form::Register, InstructionClass::Call},
    {Operation::Return, "ret", Form::Nothing, InstructionClass::Return},
});

// A word that is an instruction.
struct Known {
  const Row& row;
  Fields is;
};

std::optional<Known> known(std::span<const std::byte> bytes) {
  if (bytes.size() < word_bytes) {
    return std::nullopt;
  }
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  const Fields is(word);
  const auto* const row = std::ranges::find(rows, is.operation, &Row::operation);
  return row == rows.end() ? std::nullopt : std::optional(Known{*row, is});
}

Operation operation_of(const Instruction& instruction) {
  const auto found = known(instruction.encoding());
  return found ? found->is.operation : Operation::Padding;
}

// ---------------------------------------------------------------- decoding

Branch branch_of(const Known& found, KernelAddress address) {
  const auto direct = [&](std::int64_t words) {
    return Branch{
        .target = TargetKind::Direct,
        .address = KernelAddress{number(address) +
                                 word_bytes * static_cast<std::uint64_t>(words)}};
  };
  if (found.row.condition != nullptr) {
    Branch branch = direct(found.is.branch_words);
    branch.condition = found.row.condition(found.is);
    return branch;
  }
  if (found.row.form == Form::Far) {
    return direct(found.is.far_words);
  }
  const bool is_return = found.is.operation == Operation::Return;
  if (is_return || found.row.form == Form::Register) {
    return {.target = TargetKind::Register,
            .target_register = reg(is_return ? link_register : found.is.a)};
  }
  return {};
}

std::optional<MemoryOperand> memory_of(const Known& found) {
  const Fields& is = found.is;
  const bool reads = found.row.instruction_class == InstructionClass::Load;
  MemoryOperand operand{
      .base = reg(is.b), .size_bytes = 8, .read = reads, .write = !reads};
  switch (found.row.form) {
    case Form::Nothing:
    case Form::Register:
    case Form::Far:
    case Form::Flags:
    case Form::Tested:
    case Form::Bit:
    case Form::Sum:
      return std::nullopt;
    case Form::Base:
      break;
    case Form::Offset:
      operand.displacement = is.constant;
      break;
    case Form::Indexed:
      operand.displacement = is.constant;
      operand.index = reg(is.c);
      operand.index_bytes = 4;
      operand.index_is_signed = true;
      operand.scale = 8;
      break;
    case Form::OffsetBefore:
      operand.displacement = is.constant;
      operand.update = BaseUpdate::Before;
      break;
    case Form::OffsetAfter:
      operand.displacement = is.constant;
      operand.update = BaseUpdate::After;
      break;
    case Form::RegisterAfter:
      operand.index = reg(is.c);
      operand.scale = 1;
      operand.update = BaseUpdate::After;
      operand.size_bytes = 1;
      break;
  }
  return operand;
}

Instruction describe(std::span<const std::byte> bytes, KernelAddress address,
                     FunctionOffset offset) {
  Instruction out{.address = address,
                  .offset = offset,
                  .length = static_cast<std::uint8_t>(bytes.size())};
  std::ranges::copy(bytes, out.bytes.begin());
  const auto found = known(bytes);
  if (!found) {
    out.decoding = Decoding::Undecodable;
    return out;
  }
  if (found->is.operation == Operation::Breakpoint) {
    out.decoding = Decoding::Breakpoint;
  }
  if (found->row.instruction_class) {
    out.classes.add(*found->row.instruction_class);
  }
  out.branch = branch_of(*found, address);
  if (const auto operand = memory_of(*found)) {
    out.memory.push_back(*operand);
  }
  return out;
}

// Where an instruction begins is always certain.
std::vector<Instruction> decode(std::span<const std::byte> text,
                                KernelAddress address) {
  std::vector<Instruction> out;
  for (std::size_t at = 0; at < text.size(); at += word_bytes) {
    const FunctionOffset offset{at};
    const auto bytes =
        text.subspan(at, std::min<std::size_t>(word_bytes, text.size() - at));
    out.push_back(describe(bytes, address + offset, offset));
  }
  return out;
}

// ---------------------------------------------------------------- assembly

std::string mnemonic(const Instruction& instruction) {
  const auto found = known(instruction.encoding());
  return found ? std::string(found->row.name) : "(bad)";
}

std::string operands(const Known& found, const std::string& target) {
  const Fields& is = found.is;
  switch (found.row.form) {
    case Form::Nothing:
      return "";
    case Form::Register:
      return fmt::format(" *r{}", is.a);
    case Form::Far:
    case Form::Flags:
      return " " + target;
    case Form::Tested:
      return fmt::format(" r{},{}", is.a, target);
    case Form::Bit:
      return fmt::format(" r{},#{},{}", is.a, is.bit, target);
    case Form::Sum:
      return fmt::format(" r{},r{},r{}{:+}", is.a, is.b, is.c, is.constant);
    case Form::Base:
      return fmt::format(" r{},[r{}]", is.a, is.b);
    case Form::Offset:
      return fmt::format(" r{},[r{}{:+}]", is.a, is.b, is.constant);
    case Form::Indexed:
      return fmt::format(" r{},[r{}+r{}*8{:+}]", is.a, is.b, is.c, is.constant);
    case Form::OffsetBefore:
      return fmt::format(" r{},[r{}{:+}]!", is.a, is.b, is.constant);
    case Form::OffsetAfter:
      return fmt::format(" r{},[r{}],{}", is.a, is.b, is.constant);
    case Form::RegisterAfter:
      return fmt::format(" r{},[r{}],r{}", is.a, is.b, is.c);
  }
  return "";
}

std::string assembly(const Instruction& instruction, Syntax /*syntax*/,
                     const Symbolize& symbolize) {
  const auto found = known(instruction.encoding());
  if (!found) {
    return "(bad)";
  }
  const KernelAddress address = instruction.branch.address;
  std::string target = symbolize ? symbolize(address) : std::string();
  if (target.empty()) {
    target = fmt::format("{:#x}", number(address));
  }
  return std::string(found->row.name) + operands(*found, target);
}

// ---------------------------------------------------------------- the kernel's rules

bool is_filler(const Instruction& instruction) {
  return operation_of(instruction) == Operation::Nop ||
         std::ranges::all_of(instruction.encoding(),
                             [](std::byte one) { return one == std::byte{0}; });
}

bool is_trap(const Instruction& instruction) {
  return operation_of(instruction) == Operation::Trap;
}

// As on arm64, an exception between an exclusive load and its store makes the store
// fail, and a loop around the two would never end.
std::string_view unprobeable_reason(std::span<const Instruction> function,
                                    std::size_t index) {
  const Operation own = operation_of(function[index]);
  if (own == Operation::Trap) {
    return "it does nothing but raise an exception";
  }
  if (own == Operation::LoadExclusive) {
    return "a probe would end its exclusive access";
  }
  for (std::size_t at = index; at-- != 0;) {
    const Operation before = operation_of(function[at]);
    if (before == Operation::StoreExclusive) {
      break;
    }
    if (before == Operation::LoadExclusive) {
      return "a probe would end the exclusive access that began before it";
    }
  }
  return {};
}

std::optional<FunctionOffset> tracer_call(std::span<const std::byte> text) {
  const auto first = known(text);
  return first && (first->is.operation == Operation::Nop ||
                   first->is.operation == Operation::Call)
             ? std::optional(FunctionOffset{0})
             : std::nullopt;
}

// Each 8-byte word of each parameter is in the next register, then on the stack.
FunctionPlaces function_places(const FunctionShape& function) {
  FunctionPlaces places;
  std::uint32_t next = 0;
  for (const ValueShape& parameter : function.parameters) {
    ParameterPlace place;
    for (std::uint64_t bytes = 0; bytes < parameter.size_bytes; bytes += 8) {
      place.words.push_back(next++);
    }
    places.parameters.push_back(place);
  }
  places.result = function.result ? ResultKind::Registers : ResultKind::None;
  return places;
}

}  // namespace

RegisterId register_id(unsigned number) {
  return reg(number);
}

std::uint32_t plain(Operation operation, unsigned a, unsigned b, unsigned c,
                    int constant) {
  return static_cast<std::uint32_t>(operation) << 24U | a << 20U | b << 16U | c << 12U |
         (static_cast<std::uint32_t>(constant) & 0xfffU);
}

std::uint32_t branch(Operation operation, unsigned a, unsigned bit, int distance) {
  return static_cast<std::uint32_t>(operation) << 24U | a << 20U | bit << 14U |
         (static_cast<std::uint32_t>(distance) & 0x3fffU);
}

std::uint32_t far(Operation operation, int distance) {
  return static_cast<std::uint32_t>(operation) << 24U |
         (static_cast<std::uint32_t>(distance) & 0xffffffU);
}

std::vector<std::byte> text(std::initializer_list<std::uint32_t> words) {
  std::vector<std::byte> out(words.size() * word_bytes);
  std::memcpy(out.data(), words.begin(), out.size());
  return out;
}

}  // namespace fake

const Isa& fake_machine() {
  static constexpr Isa isa = {
      .name = "fake",
      .registers = fake::registers,
      .register_names = fake::register_names,
      .program_counter = fake::reg(8),
      .stack_pointer = fake::reg(fake::stack_pointer),
      .frame_pointer = fake::reg(fake::frame_pointer),
      .flags = fake::reg(9),
      .dwarf_registers = fake::dwarf_registers,
      .pt_regs_bytes = 80,
      .argument_registers = fake::argument_registers,
      .return_register = fake::reg(0),
      .link_register = fake::reg(fake::link_register),
      .function_places = fake::function_places,
      .decode = fake::decode,
      .text = fake::assembly,
      .mnemonic = fake::mnemonic,
      .is_filler = fake::is_filler,
      .is_trap = fake::is_trap,
      .breakpoint = fake::breakpoint,
      .probe_breakpoint = fake::probe_breakpoint,
      .unprobeable_reason = fake::unprobeable_reason,
      .tracer_call = fake::tracer_call,
      .tracer_nop = fake::nop,
      .tracer_entry = "_mcount",
  };
  return isa;
}

}  // namespace kinst::isa::testing
