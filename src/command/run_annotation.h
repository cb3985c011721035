// Runs `--annotate`.
#pragma once

#include "base/result.h"
#include "command/options/command_line.h"
#include "compile/match/system.h"

namespace kinst::command {

/// Counts the instructions of the functions that the command line names, and prints
/// them with their counts. The run ends when the target ends, when a program of the
/// command line calls exit(), or when it is interrupted. Returns the exit status.
/// Errors: no instruction of them can be traced; what the system refused.
Result<int> run_annotation(CommandLine& line, compile::KernelCode& code);

}  // namespace kinst::command
