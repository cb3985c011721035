// What can be told of a command line of --vm before a machine is booted for it.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "guest/machine.h"
#include "session/command_line.h"
#include "session/texts.h"

namespace kinst::session {

/// Whether the programs are free of what is wrong whichever kernel they run on: their
/// syntax. What is wrong is printed, with its place. Types that this machine's kernel
/// may lack are left to the guest's.
bool check_syntax(const CommandLine& line, std::vector<ProgramText> texts);

/// That the process of the run will be there: the command of -c, because busybox has it
/// or --vm-file brings it, and none of -p.
/// files: what goes into the machine.
/// Errors: it will not, with the option that brings it, if one does.
Result<void> check_guest_command(const CommandLine& line,
                                 std::span<const guest::File> files);

}  // namespace kinst::session
