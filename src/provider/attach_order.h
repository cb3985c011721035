// Which probes are attached last, because they slow down the attaching of others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isa/isa.h"
#include "provider/probe.h"

namespace kinst::provider {

/// Whether the probe is in a function that the kernel runs thousands of times whenever
/// it adds a kprobe (Isa::kernel_decoder).
bool slows_attaching(const Probe& probe, const isa::Isa& isa);

/// The indexes of `groups` in the order in which to attach the groups: the same order,
/// except that groups with a probe that slows attaching come last.
/// groups: each has indexes of `all`.
std::vector<std::size_t> attach_order(
    std::span<const Probe> all, const std::vector<std::vector<std::size_t>>& groups,
    const isa::Isa& isa);

}  // namespace kinst::provider
