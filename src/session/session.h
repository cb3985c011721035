// One invocation of the command: from its command line to its exit status.
#pragma once

#include "base/result.h"
#include "session/command_line.h"

namespace kinst::session {

/// Does what the command line asks for. Output goes to standard output, everything else
/// that is said to standard error, as with dtrace(1). Returns the exit status: 0, what
/// the program gave exit(), or 1 after it was said what is wrong.
int run(CommandLine line);

}  // namespace kinst::session
