// One instruction of one process by the machine's own breakpoint, which changes nothing
// in the process's memory and fires before the instruction executes.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "bpf/attachment.h"
#include "bpf/load.h"

namespace kinst::bpf {

/// Runs a PerfEvent program each time `thread` is about to execute the instruction at
/// `address`. It is gone when this process is, however that comes.
/// Errors: the machine or the kernel has none to give.
Result<OwnedAttachment> attach_breakpoint(const LoadedProgram& program, pid_t thread,
                                          std::uint64_t address);

/// Whether such breakpoints fire at all, found out by trying: some virtual machines
/// take them and never see them. True where the kernel gives none, which says so
/// itself.
bool do_breakpoints_work();

}  // namespace kinst::bpf
