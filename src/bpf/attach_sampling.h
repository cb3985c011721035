// Programs that run by the clock: what profile-N and tick-N stand on.
#pragma once

#include <chrono>
#include <cstdint>

#include "bpf/attachment.h"
#include "bpf/load.h"

namespace kinst::bpf {

enum class SampledCpus : std::uint8_t {
  All,  ///< every CPU that is online now, each by its own clock
  One,  ///< the first CPU that is online
};

/// Runs a PerfEvent program at each end of `period`, which the kernel takes to be 10 µs
/// at least. `cookie` is what the program gets from bpf_get_attach_cookie.
/// The context is a bpf_perf_event_data: the registers that the clock interrupted.
Result<OwnedAttachment> attach_sampling(const LoadedProgram& program,
                                        std::chrono::nanoseconds period,
                                        SampledCpus cpus, std::uint64_t cookie = 0);

}  // namespace kinst::bpf
