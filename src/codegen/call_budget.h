// How the stack and the calls that the kernel permits are shared out.
#pragma once

#include <cstdint>

namespace kinst::codegen {

/// What a generated function leaves of the stack's 512 bytes and of the eight functions
/// that a chain of calls may have to the runtime's functions that it calls. A frame
/// takes a multiple of 32 bytes, of 16 since Linux 6.8. Source: kernel/bpf/verifier.c,
/// check_max_stack_depth() and MAX_CALL_FRAMES.
inline constexpr std::uint32_t runtime_stack_bytes = 192;
inline constexpr std::uint32_t runtime_call_depth = 7;

}  // namespace kinst::codegen
