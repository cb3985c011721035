// Runs `--annotate`.
#pragma once

#include "base/result.h"
#include "session/command_line.h"
#include "session/ground.h"

namespace kinst::session {

/// Counts the instructions of the functions that the command line names, and prints
/// them with their counts. The run ends when the target ends, when a program of the
/// command line calls exit(), or when it is interrupted. Returns the exit status.
/// Errors: no instruction of them can be traced; what the system refused.
Result<int> run_annotation(CommandLine& line, KernelCode& code);

}  // namespace kinst::session
