#include "isa/instruction_class.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

namespace kinst::isa {
namespace {

constexpr auto rows = std::to_array<InstructionClassInfo>({
    {InstructionClass::Call, "call", Control::Calls},
    {InstructionClass::Return, "return", Control::Returns},
    {InstructionClass::Jump, "jump", Control::Jumps},
    {InstructionClass::Branch, "branch", Control::Jumps},
    {InstructionClass::Load, "load"},
    {InstructionClass::Store, "store"},
    {InstructionClass::Atomic, "atomic"},
});

}  // namespace

std::span<const InstructionClassInfo> all_instruction_classes() {
  return rows;
}

std::optional<InstructionClass> find_instruction_class(std::string_view name) {
  const auto* const found = std::ranges::find(rows, name, &InstructionClassInfo::name);
  return found == rows.end() ? std::nullopt : std::optional(found->instruction_class);
}

const InstructionClassInfo& instruction_class_info(InstructionClass instruction_class) {
  const auto* const found = std::ranges::find(rows, instruction_class,
                                              &InstructionClassInfo::instruction_class);
  assert(found != rows.end());
  return *found;
}

std::vector<InstructionClassInfo> rows_of(ClassSet classes) {
  std::vector<InstructionClassInfo> found;
  std::ranges::copy_if(rows, std::back_inserter(found),
                       [&](const InstructionClassInfo& row) {
                         return classes.has(row.instruction_class);
                       });
  return found;
}

}  // namespace kinst::isa
