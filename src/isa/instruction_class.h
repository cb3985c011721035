// The table of instruction classes: what people call each, and where it sends control.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace kinst::isa {

/// Where an instruction of a class sends control.
enum class Control : std::uint8_t {
  GoesOn,  ///< behind the instruction
  Calls,
  Jumps,
  Returns,
};

struct InstructionClassInfo {
  InstructionClass instruction_class{};
  /// As selectors, --disas and JSON call it.
  std::string_view name;
  Control control = Control::GoesOn;
};

/// The table, with one row for each class.
std::span<const InstructionClassInfo> all_instruction_classes();
std::optional<InstructionClass> find_instruction_class(std::string_view name);
const InstructionClassInfo& instruction_class_info(InstructionClass instruction_class);

/// The rows of the classes in a set, in the order of the table.
std::vector<InstructionClassInfo> rows_of(ClassSet classes);

}  // namespace kinst::isa
