// What call frame information calls the registers of a machine.
#pragma once

#include <optional>

#include "isa/isa.h"
#include "unwind/call_frames.h"

namespace kinst::user {

/// The numbers by which DWARF knows the registers that a walk along the stack needs;
/// nothing if it has no number for one of them.
std::optional<FrameRegisters> frame_registers(const isa::Isa& isa);

}  // namespace kinst::user
