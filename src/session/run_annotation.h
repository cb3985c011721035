// `--annotate`.
#pragma once

#include "base/result.h"
#include "session/command_line.h"
#include "session/ground.h"

namespace kinst::session {

/// Counts the instructions of the functions that the command line names, while its
/// command or process runs, until one of its programs calls exit() or it is
/// interrupted, and prints them with their counts. Returns the exit status. Errors:
/// nothing there can be traced; what the system refused.
Result<int> run_annotation(CommandLine& line, KernelCode& code);

}  // namespace kinst::session
