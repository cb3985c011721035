// The formulas are those of isa/instruction.h. What the program's instructions have in
// common becomes a constant in the code; what differs is looked up by probe.
#include "codegen/expression/operand.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <optional>
#include <variant>

#include "codegen/context/context.h"
#include "codegen/expression/expression.h"
#include "codegen/plan/operand_shape.h"
#include "provider/provider.h"

namespace kinst::codegen {
namespace {

using d::Builtin;

// Null for probes that are at no instruction.
const isa::Instruction* instruction_of(const provider::Probe& probe) {
  const auto* site = std::get_if<provider::KernelInstruction>(&probe.site);
  return site == nullptr ? nullptr : &site->instruction;
}

// The constant's value if all instructions have the same.
std::optional<std::uint64_t> common_value(OperandConstant constant,
                                          const Scope& scope) {
  std::optional<std::uint64_t> common;
  for (const provider::Probe* probe : scope.served) {
    const std::uint64_t value =
        operand_row(*instruction_of(*probe)).at(index_of(constant));
    if (common.value_or(value) != value) {
      return std::nullopt;
    }
    common = value;
  }
  return common;
}

// R0 = the constant of the instruction at the probe that fired.
void load_operand_constant(OperandConstant constant, const Scope& scope, Emitter& out) {
  if (const auto common = common_value(constant, scope)) {
    out.code().load_constant(Register::R0, *common);
    return;
  }
  out.find_row_of_probe(scope.storage.operands.value());
  out.code().emit(
      bpf::load(Size::Double, Register::R0, Register::R0,
                static_cast<std::int16_t>(index_of(constant) * sizeof(std::uint64_t))));
}

// sum += R0
void add_to(const Temporary& sum, Emitter& out) {
  out.load(Register::R1, sum);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R1, Register::R0));
  out.store(sum, Register::R1);
}

// A bit test's register may select a bit outside the operand at the address.
void add_bit_offset(const isa::MemoryOperand& memory, const Temporary& sum,
                    const Scope& scope, Emitter& out) {
  load_register_id(memory.bit_index, scope, out);
  extend(out, Register::R0, memory.size_bytes, true);
  const auto bits =
      static_cast<std::int32_t>(std::bit_width(8U * memory.size_bytes)) - 1;
  out.code().emit(bpf::alu(Arithmetic::ShiftRightSigned, Register::R0, bits));
  out.code().emit(bpf::alu(Arithmetic::Multiply, Register::R0,
                           static_cast<std::int32_t>(memory.size_bytes)));
  add_to(sum, out);
}

// sum += this CPU's per-CPU base, from the kernel's __per_cpu_offset.
void add_cpu_base(const Temporary& sum, const Span& span, const Scope& scope,
                  Emitter& out) {
  if (!scope.platform.per_cpu_offsets) {
    out.refuse(span, "D_UNKNOWN",
               "the operand is per-CPU, and this kernel does not tell where "
               "__per_cpu_offset is");
    return;
  }
  out.code().call(Helper::GetSmpProcessorId);
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R0, 3));
  out.code().load_constant(Register::R1, *scope.platform.per_cpu_offsets);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
  const Temporary place = out.saved(Register::R0);
  const Temporary base = out.temporary();
  out.address_of(Register::R1, base);
  out.code().emit(bpf::mov(Register::R2, 8));
  out.load(Register::R3, place);
  out.code().call(Helper::ProbeReadKernel);
  out.fault_if_negative(place);
  out.load(Register::R0, base);
  add_to(sum, out);
}

// sum += index * scale
void add_index(const isa::MemoryOperand& memory, const Temporary& sum,
               const Scope& scope, Emitter& out) {
  load_register_id(memory.index, scope, out);
  extend(out, Register::R0, memory.index_bytes, memory.index_is_signed);
  out.code().emit(bpf::alu(Arithmetic::Multiply, Register::R0, memory.scale));
  add_to(sum, out);
}

// R0 = the operand's effective address.
void generate_address(const isa::MemoryOperand& operand, const Span& span,
                      const Scope& scope, Emitter& out) {
  const isa::MemoryOperand memory = as_addressed(operand);
  load_operand_constant(OperandConstant::Displacement, scope, out);
  const Temporary sum = out.saved(Register::R0);
  if (memory.base != isa::RegisterId::None) {
    load_register_id(memory.base, scope, out);
    add_to(sum, out);
  }
  if (memory.index != isa::RegisterId::None) {
    add_index(memory, sum, scope, out);
  }
  if (memory.bit_index != isa::RegisterId::None) {
    add_bit_offset(memory, sum, scope, out);
  }
  out.load(Register::R0, sum);
  extend(out, Register::R0, memory.address_bytes, false);
  if (memory.space == isa::AddressSpace::PerCpu) {
    out.store(sum, Register::R0);
    add_cpu_base(sum, span, scope, out);
    out.load(Register::R0, sum);
  } else if (memory.space == isa::AddressSpace::UserThread) {
    out.refuse(span, "D_UNKNOWN",
               "the operand is relative to the user thread's segment, whose base is "
               "not saved at a probe");
  }
}

// R0 = up to 8 bytes of the operand, which may be in user memory, as in copy_from_user.
void generate_value_there(const isa::MemoryOperand& memory, const Span& span,
                          const Scope& scope, Emitter& out) {
  const auto bytes = std::bit_floor(std::clamp<std::uint32_t>(memory.size_bytes, 1, 8));
  generate_address(memory, span, scope, out);
  const Temporary address = out.saved(Register::R0);
  const Temporary value = out.temporary();
  const Label read = out.code().label();
  const auto read_by = [&](Helper helper) {
    out.address_of(Register::R1, value);
    out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(bytes)));
    out.load(Register::R3, address);
    out.code().call(helper);
  };
  read_by(Helper::ProbeReadKernel);
  out.code().jump_if(Register::R0, Condition::Equal, 0, read);
  read_by(Helper::ProbeReadUser);
  out.fault_if_negative(address);
  out.code().bind(read);
  out.code().emit(
      bpf::load(size_of_bytes(bytes), Register::R0, Register::R10, value.offset()));
}

// R0 = whether the flags meet the condition's flag part, before negation.
void generate_flags_hold(const isa::Condition& condition, const Scope& scope,
                         Emitter& out) {
  if ((condition.any_set | condition.any_clear | condition.differ) == 0) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Label holds = out.code().label();
  const Label fails = out.code().label();
  const Label done = out.code().label();
  out.code().emit(bpf::load(Size::Double, Register::R1, context_register,
                            static_cast<std::int16_t>(scope.platform.flags_offset)));
  const auto masked = [&](std::uint64_t mask) {
    out.code().emit(bpf::mov(Register::R2, Register::R1));
    out.code().load_constant(Register::R3, mask);
    out.code().emit(bpf::alu(Arithmetic::And, Register::R2, Register::R3));
  };
  if (condition.any_set != 0) {
    masked(condition.any_set);
    out.code().jump_if(Register::R2, Condition::NotEqual, 0, holds);
  }
  if (condition.any_clear != 0) {
    masked(condition.any_clear);
    out.code().jump_if(Register::R2, Condition::NotEqual, Register::R3, holds);
  }
  if (condition.differ != 0) {
    masked(condition.differ);
    out.code().jump_if(Register::R2, Condition::Equal, 0, fails);
    out.code().jump_if(Register::R2, Condition::NotEqual, Register::R3, holds);
  }
  out.code().bind(fails);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().jump(done);
  out.code().bind(holds);
  out.code().emit(bpf::mov(Register::R0, 1));
  out.code().bind(done);
}

// R0 &= whether the register meets its test.
void and_register_holds(const isa::Condition& condition, const Scope& scope,
                        Emitter& out) {
  const Temporary so_far = out.saved(Register::R0);
  const Label holds = out.code().label();
  load_register_id(condition.tested, scope, out);
  if (condition.tested_bits != ~std::uint64_t{0}) {
    out.code().load_constant(Register::R1, condition.tested_bits);
    out.code().emit(bpf::alu(Arithmetic::And, Register::R0, Register::R1));
  }
  const bool wants_zero = condition.test == isa::RegisterTest::IsZero;
  const bool wants_not_one = condition.test == isa::RegisterTest::IsNotOne;
  out.code().jump_if(Register::R0, wants_zero ? Condition::Equal : Condition::NotEqual,
                     wants_not_one ? 1 : 0, holds);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.store(so_far, Register::R0);
  out.code().bind(holds);
  out.load(Register::R0, so_far);
}

void generate_taken(const isa::Instruction& instruction, const Scope& scope,
                    Emitter& out) {
  if (!instruction.is(isa::InstructionClass::Branch)) {
    load_operand_constant(OperandConstant::Goes, scope, out);
    return;
  }
  const isa::Condition& condition = instruction.branch.condition;
  generate_flags_hold(condition, scope, out);
  if (condition.negated) {
    out.code().emit(bpf::alu(Arithmetic::Xor, Register::R0, 1));
  }
  if (condition.test != isa::RegisterTest::None) {
    and_register_holds(condition, scope, out);
  }
}

// R0 = where control goes from here.
void generate_target(const isa::Instruction& instruction, const Span& span,
                     const Scope& scope, Emitter& out) {
  switch (instruction.branch.target) {
    case isa::TargetKind::None:
      out.code().emit(bpf::mov(Register::R0, 0));
      return;
    case isa::TargetKind::Register:
      load_register_id(instruction.branch.target_register, scope, out);
      return;
    case isa::TargetKind::Memory:
      generate_value_there(instruction.memory.front(), span, scope, out);
      return;
    case isa::TargetKind::Direct:
      break;
  }
  const Label taken = out.code().label();
  const Label done = out.code().label();
  generate_taken(instruction, scope, out);
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, taken);
  load_operand_constant(OperandConstant::Next, scope, out);
  out.code().jump(done);
  out.code().bind(taken);
  load_operand_constant(OperandConstant::Target, scope, out);
  out.code().bind(done);
}

// What an instruction tells that all probes of the program share the shape of.
using OperandFact = void (*)(const isa::Instruction& instruction, const Span& span,
                             const Scope& scope, Emitter& out);

template <OperandConstant constant>
void constant_fact(const isa::Instruction& /*instruction*/, const Span& /*span*/,
                   const Scope& scope, Emitter& out) {
  load_operand_constant(constant, scope, out);
}

void address_fact(const isa::Instruction& instruction, const Span& span,
                  const Scope& scope, Emitter& out) {
  if (instruction.memory.empty()) {
    out.code().emit(bpf::mov(Register::R0, 0));
  } else {
    generate_address(instruction.memory.front(), span, scope, out);
  }
}

void value_fact(const isa::Instruction& instruction, const Span& span,
                const Scope& scope, Emitter& out) {
  if (instruction.memory.empty()) {
    out.code().emit(bpf::mov(Register::R0, 0));
  } else {
    generate_value_there(instruction.memory.front(), span, scope, out);
  }
}

void taken_fact(const isa::Instruction& instruction, const Span& /*span*/,
                const Scope& scope, Emitter& out) {
  generate_taken(instruction, scope, out);
}

struct OperandCode {
  Builtin builtin{};
  OperandFact generate = nullptr;
};

// Of each built-in variable whose row needs Operands.
constexpr auto operand_facts = std::to_array<OperandCode>({
    {Builtin::InstructionLength, constant_fact<OperandConstant::Length>},
    {Builtin::MemoryAddress, address_fact},
    {Builtin::MemorySize, constant_fact<OperandConstant::SizeBytes>},
    {Builtin::MemoryRead, constant_fact<OperandConstant::IsRead>},
    {Builtin::MemoryWrite, constant_fact<OperandConstant::IsWritten>},
    {Builtin::MemoryValue, value_fact},
    {Builtin::BranchTaken, taken_fact},
    {Builtin::BranchTarget, generate_target},
});

}  // namespace

void load_register_id(isa::RegisterId id, const Scope& scope, Emitter& out) {
  const auto number = static_cast<std::size_t>(id);
  const auto& offsets = scope.platform.register_offsets;
  if (id == isa::RegisterId::None || number >= offsets.size() || !offsets[number]) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  context_of(scope.context).interrupted_register(*offsets[number], scope, out);
}

void generate_operand_fact(Builtin builtin, const Span& span, const Scope& scope,
                           Emitter& out) {
  const isa::Instruction* instruction = instruction_of(*scope.served.front());
  if (instruction == nullptr) {
    const bool is_coming = provider::comes_with_module(*scope.served.front());
    out.refuse(span, "D_UNKNOWN",
               is_coming ? "the program is made before the instruction's operands are "
                           "known, as its module is not loaded"
                         : "only kinst probes have an instruction");
    return;
  }
  const auto* const fact =
      std::ranges::find(operand_facts, builtin, &OperandCode::builtin);
  assert(fact != operand_facts.end());
  fact->generate(*instruction, span, scope, out);
}

}  // namespace kinst::codegen
