// Stacks: recorded whole, counted, or one frame of them.
#pragma once

#include <cstdint>

#include "codegen/emitter.h"
#include "codegen/scope.h"

namespace kinst::codegen {

enum class StackOf : std::uint8_t { Kernel, User };

/// Fills `frames` 8-byte words of this CPU's state at `offset` with return addresses,
/// innermost first; zeros behind the last. A stack that cannot be had is all zeros.
void record_stack(StackOf whose, std::uint32_t offset, std::uint32_t frames,
                  const Scope& scope, Emitter& out);

/// R0 = frame number `frame` (0: the probe's own), or 0.
void generate_frame(StackOf whose, std::uint32_t frame, const Scope& scope,
                    Emitter& out);

/// R0 = the number of frames, at most `most`.
void generate_depth(StackOf whose, std::uint32_t most, const Scope& scope,
                    Emitter& out);

}  // namespace kinst::codegen
