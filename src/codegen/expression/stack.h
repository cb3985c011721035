// Stacks: recording a stack, counting its frames, and reading one frame.
#pragma once

#include <cstdint>

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"

namespace kinst::codegen {

enum class StackOf : std::uint8_t { Kernel, User };

/// Fills `frames` words of 8 bytes in this CPU's state, at `offset`, with return
/// addresses, innermost first, and zeros behind the last. If there is no stack, all
/// words are zeros.
void record_stack(StackOf whose, std::uint32_t offset, std::uint32_t frames,
                  const Scope& scope, Emitter& out);

/// R0 = frame number `frame` (0: the probe's own); 0 if there is no such frame.
void generate_frame(StackOf whose, std::uint32_t frame, const Scope& scope,
                    Emitter& out);

/// R0 = the number of frames, at most `most`.
void generate_depth(StackOf whose, std::uint32_t most, const Scope& scope,
                    Emitter& out);

}  // namespace kinst::codegen
