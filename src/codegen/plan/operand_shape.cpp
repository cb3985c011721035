// Registers, scales and conditions belong to the shape, because they become
// instructions of the program. Addresses, displacements and plain facts become rows of
// the map of operands.
#include "codegen/plan/operand_shape.h"

#include <algorithm>
#include <variant>

#include "codegen/plan/walk.h"

namespace kinst::codegen {
namespace {

using d::Builtin;

// The number of the argument that is a function's result at its return.
constexpr std::uint32_t result_argument = 1;

bool goes(const isa::Instruction& instruction) {
  return instruction.branch.target != isa::TargetKind::None &&
         !instruction.is(isa::InstructionClass::Branch);
}

std::optional<isa::MemoryOperand> memory_shape(const isa::Instruction& instruction,
                                               const OperandUse& use) {
  const bool reads_target = use.has(Builtin::BranchTarget) &&
                            instruction.branch.target == isa::TargetKind::Memory;
  const bool reads = reads_target || use.has(Builtin::MemoryValue);
  if (instruction.memory.empty() || (!reads && !use.has(Builtin::MemoryAddress))) {
    return std::nullopt;
  }
  isa::MemoryOperand shape = as_addressed(instruction.memory.front());
  shape.displacement = 0;
  shape.read = false;
  shape.write = false;
  shape.implicit_stack = false;
  shape.repeat_count = isa::RegisterId::None;
  if (!reads && shape.bit_index == isa::RegisterId::None) {
    shape.size_bytes = 0;
  }
  return shape;
}

isa::Branch branch_shape(const isa::Instruction& instruction, const OperandUse& use) {
  isa::Branch shape;
  if (use.has(Builtin::BranchTarget)) {
    shape = instruction.branch;
    shape.address = {};
  } else if (use.has(Builtin::BranchTaken)) {
    shape.condition = instruction.branch.condition;
  }
  return shape;
}

}  // namespace

isa::MemoryOperand as_addressed(isa::MemoryOperand operand) {
  if (operand.update == isa::BaseUpdate::After) {
    operand.index = isa::RegisterId::None;
    operand.index_bytes = isa::MemoryOperand{}.index_bytes;
    operand.index_is_signed = false;
    operand.scale = 0;
    operand.displacement = 0;
  }
  operand.update = isa::BaseUpdate::None;
  return operand;
}

void add_use(const d::typed::Clause& clause, OperandUse& use) {
  for_each_expression(clause, [&](const d::typed::Expression& expression) {
    if (const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node)) {
      const d::BuiltinInfo& info = d::builtin_info(builtin->builtin);
      if (info.needs.has(d::Need::Operands)) {
        use.facts.insert(info.builtin);
      }
      use.result |= info.argument == result_argument;
    } else if (const auto* local =
                   std::get_if<d::typed::LocalValue>(&expression.node)) {
      if (std::ranges::find(use.locals, local->local) == use.locals.end()) {
        use.locals.push_back(local->local);
      }
    }
  });
}

bool uses_result(const d::typed::Clause& clause) {
  OperandUse use;
  add_use(clause, use);
  return use.result;
}

OperandShape shape_of(const isa::Instruction& instruction, const OperandUse& use) {
  return {.memory = memory_shape(instruction, use),
          .branch = branch_shape(instruction, use),
          .locals = {}};
}

OperandRow operand_row(const isa::Instruction& instruction) {
  OperandRow row{};
  const auto put = [&](OperandConstant constant, std::uint64_t value) {
    row.at(index_of(constant)) = value;
  };
  if (!instruction.memory.empty()) {
    const isa::MemoryOperand memory = as_addressed(instruction.memory.front());
    put(OperandConstant::Displacement, static_cast<std::uint64_t>(memory.displacement));
    put(OperandConstant::SizeBytes, memory.size_bytes);
    put(OperandConstant::IsRead, memory.read ? 1 : 0);
    put(OperandConstant::IsWritten, memory.write ? 1 : 0);
  }
  put(OperandConstant::Target, number(instruction.branch.address));
  put(OperandConstant::Next, number(instruction.address) + instruction.length);
  put(OperandConstant::Length, instruction.length);
  put(OperandConstant::Goes, goes(instruction) ? 1 : 0);
  return row;
}

}  // namespace kinst::codegen
