// Runs one invocation of the command, from its command line to its exit status.
#pragma once

#include "base/result.h"
#include "command/options/command_line.h"

namespace kinst::command {

/// Does what the command line asks for. Output goes to standard output and messages to
/// standard error, as in dtrace(1). Returns the exit status: 0, the argument of exit(),
/// or 1 after an error was reported.
int run(CommandLine line);

}  // namespace kinst::command
