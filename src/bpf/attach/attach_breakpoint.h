// Traces one instruction of one process by a hardware breakpoint, which changes nothing
// in the process's memory and fires before the instruction executes.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

/// Runs a PerfEvent program each time `thread` is about to execute the instruction at
/// `address`. The breakpoint vanishes with this process, however the process ends.
/// Errors: the machine or the kernel has no free breakpoint.
Result<OwnedAttachment> attach_breakpoint(const LoadedProgram& program, pid_t thread,
                                          std::uint64_t address);

/// Whether such breakpoints fire at all, found out by trying: some virtual machines
/// accept them, but they never fire. True if the kernel refuses the breakpoint;
/// attach_breakpoint() then reports that.
bool do_breakpoints_work();

}  // namespace kinst::bpf
