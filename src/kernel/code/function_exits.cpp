// By the targets of jumps: within the function, in its split-off part, or elsewhere.
#include "kernel/code/function_exits.h"

#include <algorithm>
#include <string_view>

namespace kinst::kernel {
namespace {

using isa::Instruction;
using isa::InstructionClass;

bool is_within(const Function& function, KernelAddress address) {
  return function.address <= address &&
         number(address - function.address) < function.size_bytes;
}

// GCC writes vfs_read.cold, older ones vfs_read.cold.12.
bool is_cold_part_of(std::string_view part, std::string_view whole) {
  constexpr std::string_view cold = ".cold";
  if (part.size() < whole.size() + cold.size() || !part.starts_with(whole)) {
    return false;
  }
  const std::string_view suffix = part.substr(whole.size());
  return suffix == cold || (suffix.starts_with(cold) && suffix[cold.size()] == '.');
}

// A function can have several names, and its split-off part is named by one of them.
std::optional<Symbol> cold_part(const Function& function, KernelAddress target,
                                const Symbols& symbols) {
  const auto part = symbols.at(target);
  if (!part || is_within(function, target)) {
    return std::nullopt;
  }
  const bool is_part =
      is_cold_part_of(part->name, function.name) ||
      std::ranges::any_of(
          symbols.beginning_at(function.address),
          [&](const Symbol& name) { return is_cold_part_of(part->name, name.name); });
  return is_part ? part : std::nullopt;
}

// Whether it leads out of a split-off part, back to where that was split off.
bool returns_from_cold_part(const Function& part, KernelAddress target,
                            const Symbols& symbols) {
  const auto whole = symbols.at(target);
  return whole && std::ranges::any_of(symbols.beginning_at(whole->address),
                                      [&](const Symbol& name) {
                                        return is_cold_part_of(part.name, name.name);
                                      });
}

bool is_elsewhere(const Function& function, KernelAddress target,
                  const Symbols& symbols) {
  // A jump to where the function tracer is called is a call of the function by itself.
  if (is_within(function, target)) {
    return target == function.address && function.has_tracer_call;
  }
  return !cold_part(function, target, symbols) &&
         !returns_from_cold_part(function, target, symbols);
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

std::optional<Symbol> cold_part_at(const Function& function,
                                   const Instruction& instruction,
                                   const Symbols& symbols) {
  const bool jumps = instruction.is(InstructionClass::Jump) ||
                     instruction.is(InstructionClass::Branch);
  return jumps && instruction.branch.target == isa::TargetKind::Direct
             ? cold_part(function, instruction.branch.address, symbols)
             : std::nullopt;
}

}  // namespace kinst::kernel
