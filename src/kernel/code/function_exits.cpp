// By the targets of jumps: within the function, in its split-off part, or elsewhere.
#include "kernel/code/function_exits.h"

#include "kernel/code/cold_parts.h"

namespace kinst::kernel {
namespace {

using isa::Instruction;
using isa::InstructionClass;

bool is_elsewhere(const Function& function, KernelAddress target,
                  const Symbols& symbols) {
  // A jump to where the function tracer is called is a call of the function by itself.
  if (function.contains(target)) {
    return target == function.address && function.has_tracer_call;
  }
  return !cold_part_at(function, target, symbols) &&
         !is_cold_part_of(function, target, symbols);
}

}  // namespace

bool leaves(const Function& function, const Instruction& instruction,
            const Symbols& symbols) {
  if (instruction.is(InstructionClass::Return)) {
    return true;
  }
  if (!instruction.is(InstructionClass::Jump)) {
    return false;
  }
  switch (instruction.branch.target) {
    case isa::TargetKind::Register:
      return true;
    case isa::TargetKind::Memory:
      return instruction.memory.front().index == isa::RegisterId::None;
    case isa::TargetKind::Direct:
      return is_elsewhere(function, instruction.branch.address, symbols);
    case isa::TargetKind::None:
      break;
  }
  return false;
}

bool may_leave(const Function& function, const Instruction& instruction,
               const Symbols& symbols) {
  return instruction.is(InstructionClass::Branch) &&
         instruction.branch.target == isa::TargetKind::Direct &&
         is_elsewhere(function, instruction.branch.address, symbols);
}

}  // namespace kinst::kernel
