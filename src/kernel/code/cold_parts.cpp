#include "kernel/code/cold_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/cold_names.h"

namespace kinst::kernel {
namespace {

// Whether one of the names of the function at `address` is `whole`.
bool has_name(KernelAddress address, std::string_view whole, const Symbols& symbols) {
  return !whole.empty() &&
         std::ranges::any_of(symbols.beginning_at(address), [&](const Symbol& symbol) {
           return symbol.name == whole;
         });
}

bool jumps(const isa::Instruction& instruction) {
  return instruction.is(isa::InstructionClass::Jump) ||
         instruction.is(isa::InstructionClass::Branch);
}

}  // namespace

std::optional<Symbol> cold_part_at(const Function& function, KernelAddress address,
                                   const Symbols& symbols) {
  if (function.contains(address)) {
    return std::nullopt;
  }
  auto part = symbols.at(address);
  if (!part) {
    return std::nullopt;
  }
  const std::string_view whole = whole_of_cold_part(part->name);
  return whole == function.name || has_name(function.address, whole, symbols)
             ? std::move(part)
             : std::nullopt;
}

bool is_cold_part_of(const Function& function, KernelAddress address,
                     const Symbols& symbols) {
  const auto whole = symbols.at(address);
  return whole && has_name(whole->address, whole_of_cold_part(function.name), symbols);
}

std::vector<Symbol> cold_parts_of(const Function& function, const Symbols& symbols) {
  std::vector<Symbol> parts;
  for (const isa::Instruction& instruction : function.instructions) {
    if (!jumps(instruction) || instruction.branch.target != isa::TargetKind::Direct) {
      continue;
    }
    auto part = cold_part_at(function, instruction.branch.address, symbols);
    if (part && std::ranges::find(parts, *part) == parts.end()) {
      parts.push_back(*std::move(part));
    }
  }
  return parts;
}

// A part may have been split again, so `functions` grows while it is searched.
Result<void> add_cold_parts(std::vector<ExaminedFunction>& functions,
                            const Symbols& symbols, FunctionReader& reader) {
  for (std::size_t number = 0; number < functions.size(); ++number) {
    std::vector<Symbol> parts = cold_parts_of(functions[number].function, symbols);
    std::erase_if(parts, [&](const Symbol& part) {
      return std::ranges::any_of(functions, [&](const ExaminedFunction& known) {
        return known.function.address == part.address;
      });
    });
    auto more = KINST_TRY(reader.read(symbols, parts));
    std::ranges::move(more, std::back_inserter(functions));
  }
  return {};
}

}  // namespace kinst::kernel
