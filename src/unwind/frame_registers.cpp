#include "unwind/frame_registers.h"

#include <algorithm>

namespace kinst::user {
namespace {

std::optional<std::uint64_t> dwarf_number(const isa::Isa& isa, isa::RegisterId id) {
  const auto found = std::ranges::find(isa.dwarf_registers, id);
  return found == isa.dwarf_registers.end() ? std::nullopt
                                            : std::optional(static_cast<std::uint64_t>(
                                                  found - isa.dwarf_registers.begin()));
}

}  // namespace

std::optional<FrameRegisters> frame_registers(const isa::Isa& isa) {
  const auto stack_pointer = dwarf_number(isa, isa.stack_pointer);
  const auto frame_pointer = dwarf_number(isa, isa.frame_pointer);
  const bool has_link = isa.link_register != isa::RegisterId::None;
  const auto link = has_link ? dwarf_number(isa, isa.link_register) : std::nullopt;
  if (!stack_pointer || !frame_pointer || has_link != link.has_value()) {
    return std::nullopt;
  }
  return FrameRegisters{
      .stack_pointer = *stack_pointer, .frame_pointer = *frame_pointer, .link = link};
}

}  // namespace kinst::user
