// From bytes of x86-64 text to Instructions, by Zydis. What the description adds to
// what Zydis says: stack slots at the address that they have before the instruction,
// rip-relative operands resolved, the flag formula of each condition, and no memory
// operand for what only looks like one (lea, nop).
#include <algorithm>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

constexpr RegisterId reg(unsigned number) {
  return static_cast<RegisterId>(number);
}

// regs[] is indexed in the order of struct pt_regs, then by what is kept per thread, as
// Oracle's DTrace numbers it.
constexpr RegisterId rax = reg(10);
constexpr RegisterId rcx = reg(11);
constexpr RegisterId rip = reg(16);
constexpr RegisterId rflags = reg(18);
constexpr RegisterId rsp = reg(19);

constexpr std::uint16_t none = Register::no_offset;

// arch/x86/include/asm/ptrace.h, struct pt_regs; orig_ax holds the trap's error code.
constexpr std::array<Register, 26> registers = {{
    {"r15", 0, {}},
    {"r14", 8, {}},
    {"r13", 16, {}},
    {"r12", 24, {}},
    {"rbp", 32, {}},
    {"rbx", 40, {}},
    {"r11", 48, {}},
    {"r10", 56, {}},
    {"r9", 64, {}},
    {"r8", 72, {}},
    {"rax", 80, {}},
    {"rcx", 88, {}},
    {"rdx", 96, {}},
    {"rsi", 104, {}},
    {"rdi", 112, {}},
    {"err", 120, {}},
    {"rip", 128, {}},
    {"cs", 136, {}},
    {"rflags", 144, {}},
    {"rsp", 152, {}},
    {"ss", 160, {}},
    {"ds", none, "thread.ds"},
    {"es", none, "thread.es"},
    {"fs", none, "thread.fsbase"},
    {"gs", none, "thread.gsbase"},
    {"trapno", none, "thread.trap_nr"},
}};

constexpr std::array<RegisterName, 42> register_names = {{
    {"R_R15", reg(0)},  {"R_R14", reg(1)},     {"R_R13", reg(2)},  {"R_R12", reg(3)},
    {"R_RBP", reg(4)},  {"R_RBX", reg(5)},     {"R_R11", reg(6)},  {"R_R10", reg(7)},
    {"R_R9", reg(8)},   {"R_R8", reg(9)},      {"R_RAX", rax},     {"R_RCX", rcx},
    {"R_RDX", reg(12)}, {"R_RSI", reg(13)},    {"R_RDI", reg(14)}, {"R_ERR", reg(15)},
    {"R_RIP", rip},     {"R_CS", reg(17)},     {"R_RFL", rflags},  {"R_RSP", rsp},
    {"R_SS", reg(20)},  {"R_DS", reg(21)},     {"R_ES", reg(22)},  {"R_FS", reg(23)},
    {"R_GS", reg(24)},  {"R_TRAPNO", reg(25)}, {"R_EAX", rax},     {"R_EBX", reg(5)},
    {"R_ECX", rcx},     {"R_EDX", reg(12)},    {"R_ESI", reg(13)}, {"R_EDI", reg(14)},
    {"R_EBP", reg(4)},  {"R_ESP", rsp},        {"R_EIP", rip},     {"R_EFL", rflags},
    {"R_PC", rip},      {"R_SP", rsp},         {"R_FP", reg(4)},   {"R_PS", rflags},
    {"R_R0", rax},      {"R_R1", reg(5)},
}};

// System V ABI, AMD64 supplement, figure 3.36.
constexpr std::array<RegisterId, 17> dwarf_registers = {
    rax,    reg(12), rcx,    reg(5), reg(13), reg(14), reg(4), rsp, reg(9),
    reg(8), reg(7),  reg(6), reg(3), reg(2),  reg(1),  reg(0), rip};

constexpr std::array<RegisterId, 6> argument_registers = {reg(14), reg(13), reg(12),
                                                          rcx,     reg(9),  reg(8)};

// arch/x86/include/asm/nops.h, BYTES_NOP5: nopl 0x0(%rax,%rax,1).
constexpr std::array<std::byte, 5> tracer_nop = {std::byte{0x0f}, std::byte{0x1f},
                                                 std::byte{0x44}, std::byte{0x00},
                                                 std::byte{0x00}};

constexpr std::array<std::byte, 1> breakpoint = {std::byte{0xcc}};

// arch/x86/lib/insn.c and inat.c.
constexpr std::array<std::string_view, 2> kernel_decoder = {"insn_", "inat_"};

AddressSpace address_space(ZydisRegister segment) {
  switch (segment) {
    case ZYDIS_REGISTER_GS:
      return AddressSpace::PerCpu;
    case ZYDIS_REGISTER_FS:
      return AddressSpace::UserThread;
    default:
      return AddressSpace::Flat;
  }
}

// What the text shows as memory, but no byte of it is touched or meant.
bool only_looks_like_memory(const Decoded& decoded,
                            const ZydisDecodedOperand& operand) {
  return operand.mem.type != ZYDIS_MEMOP_TYPE_MEM ||
         decoded.instruction.mnemonic == ZYDIS_MNEMONIC_NOP;
}

// Zydis calls these reads, though no value comes of it.
bool only_names_memory(const ZydisDecodedInstruction& instruction) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_CLFLUSH:
    case ZYDIS_MNEMONIC_CLFLUSHOPT:
    case ZYDIS_MNEMONIC_CLWB:
    case ZYDIS_MNEMONIC_CLDEMOTE:
    case ZYDIS_MNEMONIC_INVLPG:
      return true;
    default:
      return instruction.meta.category == ZYDIS_CATEGORY_PREFETCH ||
             instruction.meta.category == ZYDIS_CATEGORY_PREFETCHWT1;
  }
}

bool is_bit_test(ZydisMnemonic mnemonic) {
  return mnemonic == ZYDIS_MNEMONIC_BT || mnemonic == ZYDIS_MNEMONIC_BTS ||
         mnemonic == ZYDIS_MNEMONIC_BTR || mnemonic == ZYDIS_MNEMONIC_BTC;
}

bool is_repeated(const ZydisDecodedInstruction& instruction) {
  constexpr ZydisInstructionAttributes any =
      ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  return (instruction.attributes & any) != 0;
}

MemoryOperand memory_operand(const Decoded& decoded, const ZydisDecodedOperand& operand,
                             KernelAddress address) {
  const ZydisDecodedInstruction& instruction = decoded.instruction;
  const ZydisDecodedOperandMem& mem = operand.mem;
  const bool accesses = !only_names_memory(instruction);
  MemoryOperand out{
      .base = register_id(mem.base),
      .index = register_id(mem.index),
      .scale = mem.index == ZYDIS_REGISTER_NONE ? std::uint8_t{0} : mem.scale,
      .displacement = mem.disp.has_displacement ? mem.disp.value : 0,
      .address_bytes = static_cast<std::uint8_t>(instruction.address_width / 8U),
      .space = address_space(mem.segment),
      .size_bytes = static_cast<std::uint16_t>(operand.size / 8U),
      .read = accesses && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
      .write = accesses && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0,
  };
  if (mem.base == ZYDIS_REGISTER_RIP || mem.base == ZYDIS_REGISTER_EIP) {
    out.base = RegisterId::None;
    out.displacement =
        static_cast<std::int64_t>(number(address) + instruction.length +
                                  static_cast<std::uint64_t>(out.displacement));
  }
  if (instruction.mnemonic == ZYDIS_MNEMONIC_XLAT) {  // Zydis leaves %al out
    out.index = rax;
    out.index_bytes = 1;
    out.scale = 1;
  }
  const bool hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
  if (hidden && mem.segment == ZYDIS_REGISTER_SS) {
    out.implicit_stack = true;
    if (out.write) {  // the stack pointer moves down before the slot is written
      out.displacement -= out.size_bytes;
    }
  } else if (instruction.mnemonic == ZYDIS_MNEMONIC_POP && out.base == rsp) {
    out.displacement += instruction.operand_width / 8;  // and up before the store
  }
  if (hidden && is_repeated(instruction)) {
    out.repeat_count = rcx;
  }
  if (is_bit_test(instruction.mnemonic) &&
      decoded.storage[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
    out.bit_index = register_id(decoded.storage[1].reg.value);
  }
  return out;
}

std::vector<MemoryOperand> memory_operands(const Decoded& decoded,
                                           KernelAddress address) {
  std::vector<MemoryOperand> out;
  for (const ZydisDecodedOperand& operand : decoded.operands()) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
        !only_looks_like_memory(decoded, operand)) {
      out.push_back(memory_operand(decoded, operand, address));
    }
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const MemoryOperand& one) { return !one.implicit_stack; });
  return out;
}

constexpr Condition when_any(std::uint64_t flags) {
  return {.any_set = flags};
}

constexpr Condition when_none(std::uint64_t flags) {
  return {.any_set = flags, .negated = true};
}

// Of jumps that look at the flags only: Intel's manual, vol. 2, Jcc.
std::optional<Condition> flag_condition(ZydisMnemonic mnemonic) {
  constexpr std::uint64_t cf = ZYDIS_CPUFLAG_CF;
  constexpr std::uint64_t pf = ZYDIS_CPUFLAG_PF;
  constexpr std::uint64_t zf = ZYDIS_CPUFLAG_ZF;
  constexpr std::uint64_t sf = ZYDIS_CPUFLAG_SF;
  constexpr std::uint64_t of = ZYDIS_CPUFLAG_OF;
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_JO:
      return when_any(of);
    case ZYDIS_MNEMONIC_JNO:
      return when_none(of);
    case ZYDIS_MNEMONIC_JB:
      return when_any(cf);
    case ZYDIS_MNEMONIC_JNB:
      return when_none(cf);
    case ZYDIS_MNEMONIC_JZ:
      return when_any(zf);
    case ZYDIS_MNEMONIC_JNZ:
      return when_none(zf);
    case ZYDIS_MNEMONIC_JBE:
      return when_any(cf | zf);
    case ZYDIS_MNEMONIC_JNBE:
      return when_none(cf | zf);
    case ZYDIS_MNEMONIC_JS:
      return when_any(sf);
    case ZYDIS_MNEMONIC_JNS:
      return when_none(sf);
    case ZYDIS_MNEMONIC_JP:
      return when_any(pf);
    case ZYDIS_MNEMONIC_JNP:
      return when_none(pf);
    case ZYDIS_MNEMONIC_JL:
      return Condition{.differ = sf | of};
    case ZYDIS_MNEMONIC_JNL:
      return Condition{.differ = sf | of, .negated = true};
    case ZYDIS_MNEMONIC_JLE:
      return Condition{.any_set = zf, .differ = sf | of};
    case ZYDIS_MNEMONIC_JNLE:
      return Condition{.any_set = zf, .differ = sf | of, .negated = true};
    default:
      return std::nullopt;
  }
}

// Of jumps that look at rcx as well, or only: Intel's manual, vol. 2, JRCXZ and LOOPcc.
std::optional<Condition> counter_condition(const ZydisDecodedInstruction& instruction) {
  constexpr std::uint64_t zf = ZYDIS_CPUFLAG_ZF;
  constexpr unsigned whole_bits = 64;
  const std::uint64_t bits =
      ~std::uint64_t{0} >> (whole_bits - instruction.address_width);
  const auto counter = [&](RegisterTest test, Condition flags) {
    flags.test = test;
    flags.tested = rcx;
    flags.tested_bits = bits;
    return flags;
  };
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_JCXZ:
    case ZYDIS_MNEMONIC_JECXZ:
    case ZYDIS_MNEMONIC_JRCXZ:
      return counter(RegisterTest::IsZero, when_none(0));
    case ZYDIS_MNEMONIC_LOOP:
      return counter(RegisterTest::IsNotOne, when_none(0));
    case ZYDIS_MNEMONIC_LOOPE:
      return counter(RegisterTest::IsNotOne, when_any(zf));
    case ZYDIS_MNEMONIC_LOOPNE:
      return counter(RegisterTest::IsNotOne, when_none(zf));
    default:
      return std::nullopt;
  }
}

std::optional<Condition> condition(const ZydisDecodedInstruction& instruction) {
  const auto by_flags = flag_condition(instruction.mnemonic);
  return by_flags ? by_flags : counter_condition(instruction);
}

Branch target_of(const Decoded& decoded, KernelAddress address) {
  if (decoded.instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR) {
    return {};  // a selector decides, not an address alone
  }
  const ZydisDecodedOperand& operand = decoded.storage[0];
  switch (operand.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
      return {.target = TargetKind::Register,
              .target_register = register_id(operand.reg.value)};
    case ZYDIS_OPERAND_TYPE_MEMORY:
      return {.target = TargetKind::Memory};
    default:
      return {
          .target = TargetKind::Direct,
          .address = KernelAddress{number(address) + decoded.instruction.length +
                                   static_cast<std::uint64_t>(operand.imm.value.s)}};
  }
}

void describe_control(Instruction& out, const Decoded& decoded) {
  const ZydisDecodedInstruction& instruction = decoded.instruction;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_CALL:
      out.classes.add(InstructionClass::Call);
      out.branch = target_of(decoded, out.address);
      break;
    case ZYDIS_CATEGORY_RET:
      out.classes.add(InstructionClass::Return);
      out.branch = {.target = TargetKind::Memory};
      break;
    case ZYDIS_CATEGORY_SYSRET:
      out.classes.add(InstructionClass::Return);
      break;
    case ZYDIS_CATEGORY_UNCOND_BR:
      if (instruction.mnemonic == ZYDIS_MNEMONIC_JMP) {
        out.classes.add(InstructionClass::Jump);
        out.branch = target_of(decoded, out.address);
      }
      break;
    case ZYDIS_CATEGORY_COND_BR:
      if (const auto when = condition(instruction)) {
        out.classes.add(InstructionClass::Branch);
        out.branch = target_of(decoded, out.address);
        out.branch.condition = *when;
      }
      break;
    default:
      break;
  }
}

void describe_memory(Instruction& out, const Decoded& decoded) {
  out.memory = memory_operands(decoded, out.address);
  for (const MemoryOperand& operand : out.memory) {
    if (operand.implicit_stack) {
      continue;
    }
    if (operand.read) {
      out.classes.add(InstructionClass::Load);
    }
    if (operand.write) {
      out.classes.add(InstructionClass::Store);
    }
  }
  const bool exchanges = decoded.instruction.mnemonic == ZYDIS_MNEMONIC_XCHG &&
                         out.is(InstructionClass::Store);
  if ((decoded.instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 || exchanges) {
    out.classes.add(InstructionClass::Atomic);
  }
}

Instruction describe(std::span<const std::byte> bytes, KernelAddress address,
                     FunctionOffset offset) {
  Instruction out{.address = address, .offset = offset, .length = 1};
  const std::optional<Decoded> decoded = decode_one(bytes);
  if (decoded) {
    out.length = decoded->instruction.length;
    if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_INT3) {
      out.decoding = Decoding::Breakpoint;
    }
    describe_control(out, *decoded);
    describe_memory(out, *decoded);
  } else {
    out.decoding = Decoding::Undecodable;
  }
  std::ranges::copy(bytes.first(out.length), out.bytes.begin());
  return out;
}

}  // namespace

std::vector<Instruction> decode(std::span<const std::byte> text,
                                KernelAddress address) {
  std::vector<Instruction> out;
  out.reserve(text.size() / 4);
  bool certain = true;
  FunctionOffset offset{};
  while (number(offset) < text.size()) {
    out.push_back(describe(text.subspan(number(offset)), address + offset, offset));
    out.back().boundary_certain = certain;
    certain = certain && out.back().decoding != Decoding::Undecodable;
    offset = out.back().end();
  }
  return out;
}

std::optional<Decoded> decode_one(std::span<const std::byte> bytes) {
  static const ZydisDecoder decoder = [] {
    ZydisDecoder made;
    ZydisDecoderInit(&made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return made;
  }();
  std::optional<Decoded> out(std::in_place);
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(),
                                           &out->instruction, out->storage.data()))) {
    out.reset();
  }
  return out;
}

RegisterId register_id(ZydisRegister value) {
  const ZydisRegister whole =
      ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, value);
  if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) {
    return RegisterId::None;
  }
  // By the number that machine code gives to each: rax, rcx, rdx, rbx, rsp, rbp, …
  constexpr std::array<RegisterId, 16> by_encoding = {
      rax,    rcx,    reg(12), reg(5), rsp,    reg(4), reg(13), reg(14),
      reg(9), reg(8), reg(7),  reg(6), reg(3), reg(2), reg(1),  reg(0)};
  return by_encoding.at(static_cast<std::size_t>(ZydisRegisterGetId(whole)));
}

}  // namespace kinst::isa::x86

namespace kinst::isa {

const Isa& x86_64() {
  static constexpr Isa isa = {
      .name = "x86_64",
      .elf_machine = 62,  // EM_X86_64
      .registers = x86::registers,
      .register_names = x86::register_names,
      .program_counter = x86::rip,
      .stack_pointer = x86::rsp,
      .frame_pointer = x86::reg(4),
      .flags = x86::rflags,
      .dwarf_registers = x86::dwarf_registers,
      .pt_regs_bytes = 168,
      // struct rt_sigframe without the return address, from <asm/sigcontext.h>:
      // uc_mcontext begins at 40 with r8.
      .signal_frame = {.program_counter = 168,
                       .stack_pointer = 160,
                       .frame_pointer = 120},
      .argument_registers = x86::argument_registers,
      .return_register = x86::rax,
      .return_address_words = 1,
      .function_places = x86::function_places,
      .system_calls = x86::system_calls,
      .decode = x86::decode,
      .text = x86::text,
      .mnemonic = x86::mnemonic,
      .is_filler = x86::is_filler,
      .is_trap = x86::is_trap,
      .resolve_thunk = x86::resolve_thunk,
      .is_moved = x86::is_moved,
      .breakpoint = x86::breakpoint,
      // int3 leaves the address behind itself; optimized and ftrace-based kprobes
      // imitate it: arch/x86/kernel/kprobes/opt.c and ftrace.c set regs->ip + 1.
      .breakpoint_pc_advance_bytes = 1,
      .probe_breakpoint = x86::breakpoint,
      .optimized_probe_bytes = 5,
      .decodes_behind_functions = true,
      // Since Linux 5.14, up to 7.2.
      .kprobe_layout =
          KprobeLayout{
              .next = 0, .address = 40, .opcode = 80, .flags = 120, .copied = 144},
      .unprobeable_reason = x86::unprobeable_reason,
      .emulation_faults = x86::emulation_faults,
      .kernel_decoder = x86::kernel_decoder,
      .landing_pad_bytes = x86::landing_pad_bytes,
      .tracer_call = x86::tracer_call,
      .tracer_nop = x86::tracer_nop,
      .tracer_entry = "__fentry__",
      .longest_instruction_bytes = 15,
      .goes_on = x86::goes_on,
      .address_taken = x86::address_taken,
      .add_direct_targets = x86::add_direct_targets,
      .why_no_uprobe = x86::why_no_uprobe,
      .may_become_a_call = x86::may_become_a_call,
      .nop_experiment = x86::nop_experiment,
  };
  return isa;
}

}  // namespace kinst::isa
