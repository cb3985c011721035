// How generated code shares the stack and the depth of calls that the kernel permits.
#pragma once

#include <cstdint>

namespace kinst::codegen {

/// The part of the 512 bytes of stack, and of the eight functions in a chain of calls,
/// that a generated function leaves to the runtime's functions that it calls. A frame
/// takes a multiple of 32 bytes, of 16 since Linux 6.8. Source: kernel/bpf/verifier.c,
/// check_max_stack_depth() and MAX_CALL_FRAMES.
inline constexpr std::uint32_t runtime_stack_bytes = 192;
inline constexpr std::uint32_t runtime_call_depth = 7;

}  // namespace kinst::codegen
