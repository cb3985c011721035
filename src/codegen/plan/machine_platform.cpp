#include "codegen/plan/machine_platform.h"

namespace kinst::codegen {
namespace {

std::uint32_t offset_of(const isa::Isa& isa, isa::RegisterId id) {
  return id == isa::RegisterId::None
             ? 0
             : isa.registers[static_cast<std::size_t>(id)].pt_regs_offset;
}

}  // namespace

Platform machine_platform(const isa::Isa& isa) {
  Platform platform;
  for (const isa::Register& one : isa.registers) {
    platform.register_offsets.push_back(
        one.pt_regs_offset == isa::Register::no_offset
            ? std::nullopt
            : std::optional<std::uint32_t>(one.pt_regs_offset));
  }
  platform.instruction_pointer_offset = offset_of(isa, isa.program_counter);
  platform.instruction_pointer_excess = isa.breakpoint_pc_advance_bytes;
  for (const isa::RegisterId id : isa.argument_registers) {
    platform.argument_offsets.push_back(offset_of(isa, id));
  }
  platform.return_value_offset = offset_of(isa, isa.return_register);
  platform.return_address_words = isa.return_address_words;
  platform.stack_pointer_offset = offset_of(isa, isa.stack_pointer);
  platform.frame_pointer_offset = offset_of(isa, isa.frame_pointer);
  if (isa.link_register != isa::RegisterId::None) {
    platform.link_register_offset = offset_of(isa, isa.link_register);
  }
  platform.flags_offset = offset_of(isa, isa.flags);
  const isa::SystemCalls& calls = isa.system_calls();
  platform.system_calls.number_offset = offset_of(isa, calls.number_register);
  platform.system_calls.compatible_mask = calls.compatible_mask;
  for (const isa::RegisterId id : calls.argument_registers) {
    platform.system_calls.argument_offsets.push_back(offset_of(isa, id));
  }
  return platform;
}

}  // namespace kinst::codegen
