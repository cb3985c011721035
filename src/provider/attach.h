// From loaded programs to probes that fire.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "provider/probe.h"

namespace kinst::provider {

/// Attaches `program` to the probes, all of one kind of site and none of them kinst's
/// own (BEGIN, END, ERROR: those are run, not attached).
/// probes: indexes into `all`. progress: told between probes; may stop the attaching.
/// Errors: what the kernel refused, with the probe's name; nothing stays attached.
Result<std::vector<bpf::OwnedAttachment>> attach(const bpf::LoadedProgram& program,
                                                 std::span<const Probe> all,
                                                 std::span<const std::size_t> probes,
                                                 const bpf::ProgressReport& progress);

}  // namespace kinst::provider
