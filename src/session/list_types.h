// `-l TYPE`: types of the kernel and of D as they are declared.
#pragma once

#include "base/result.h"
#include "session/command_line.h"
#include "session/ground.h"

namespace kinst::session {

/// Prints each argument of the command line as a type: "struct file", "pid_t".
/// Returns the exit status.
/// Errors: one that is no type, with what may have been meant.
Result<int> list_types(const CommandLine& line, KernelCode& code);

}  // namespace kinst::session
