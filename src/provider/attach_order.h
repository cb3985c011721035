// Which probes are attached last, as they make the attaching of others slow.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "provider/probe.h"

namespace kinst::provider {

/// Whether the probe is in a function that the kernel runs thousands of times whenever
/// it adds a kprobe (isa::kernel_decoder_functions).
bool slows_attaching(const Probe& probe);

/// The groups' numbers in the order to attach them: as they are, but for those with a
/// probe that slows attaching, which come last.
/// groups: of indexes into `all`.
std::vector<std::size_t> attach_order(
    std::span<const Probe> all, const std::vector<std::vector<std::size_t>>& groups);

}  // namespace kinst::provider
