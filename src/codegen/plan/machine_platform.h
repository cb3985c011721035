// What generated code must know of the machine alone.
#pragma once

#include "codegen/plan/platform.h"
#include "isa/isa.h"

namespace kinst::codegen {

/// A platform with what the machine decides: where registers are saved, and which have
/// a meaning. A register that the machine lacks has the offset 0, and no code reads it.
Platform machine_platform(const isa::Isa& isa);

}  // namespace kinst::codegen
