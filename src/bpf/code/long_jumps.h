// Jumps that are longer than an instruction can say.
#pragma once

#include <cstddef>

#include "bpf/code/program.h"

namespace kinst::bpf {

/// How many instruction slots an item takes.
std::size_t slots(const Item& item);

/// Whether the function is so large that a jump may not reach its target.
bool may_have_long_jumps(const Function& function);

/// The function with every jump in reach of its target. A jump whose target is too far
/// away goes to an island on the way, where another jump goes on. Jumps to labels that
/// are never bound stay as they are. (gotol, which reaches any place, is for kernels
/// since 6.6.)
Function with_jumps_in_reach(Function function);

}  // namespace kinst::bpf
