// Warns about traced functions that are also inlined into other functions.
#pragma once

#include "command/command_line.h"
#include "compile/match/ground.h"
#include "compile/match/match.h"

namespace kinst::command {

/// Prints a line if functions with a probe at their entry or return are also inlined
/// elsewhere: the probe does not fire in the copies, and the line says how to trace
/// these. Copies are found in debug information. With -v it is opened for this;
/// otherwise it is used only if the program has opened it, because opening a kernel
/// image's takes long. Prints nothing with -q.
void tell_inlined(const compile::Matches& matches, compile::Ground& ground,
                  const CommandLine& line);

}  // namespace kinst::command
