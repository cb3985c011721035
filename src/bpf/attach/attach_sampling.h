// Attaches programs to the clock, for the probes profile-N and tick-N.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

/// The CPUs whose clock is used: all that are online now, the first one, or a chosen
/// one.
struct SampledCpus {
  bool all = false;
  std::optional<int> chosen = std::nullopt;
};

/// Runs a PerfEvent program at each end of `period`, which the kernel takes to be 10 µs
/// at least. `cookie` is what the program gets from bpf_get_attach_cookie.
/// The context is a bpf_perf_event_data: the registers that the clock interrupted.
Result<OwnedAttachment> attach_sampling(const LoadedProgram& program,
                                        std::chrono::nanoseconds period,
                                        SampledCpus cpus, std::uint64_t cookie = 0);

}  // namespace kinst::bpf
