// Programs at the kernel's static tracepoints.
#pragma once

#include <cstdint>
#include <string>

#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

/// Runs a RawTracepoint program at a tracepoint by its name ("sys_enter"), on all CPUs.
/// The context is the array of the tracepoint's arguments.
Result<OwnedAttachment> attach_raw_tracepoint(const LoadedProgram& program,
                                              const std::string& name);

/// Runs a Tracepoint program at the event whose id tracefs gives in
/// events/SYSTEM/NAME/id, on all CPUs. The context is the event's record as
/// events/SYSTEM/NAME/format describes it. `what` names the event in errors.
Result<OwnedAttachment> attach_tracepoint(const LoadedProgram& program,
                                          std::uint64_t event_id,
                                          const std::string& what,
                                          std::uint64_t cookie = 0);

}  // namespace kinst::bpf
