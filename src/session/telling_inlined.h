// Warns about traced functions that are also inlined into other functions.
#pragma once

#include "session/command_line.h"
#include "session/ground.h"
#include "session/match.h"

namespace kinst::session {

/// Prints a line if functions with a probe at their entry or return are also inlined
/// elsewhere: the probe does not fire in the copies, and the line says how to trace
/// these. Copies are found in debug information. With -v it is opened for this;
/// otherwise it is used only if the program has opened it, because opening a kernel
/// image's takes long. Prints nothing with -q.
void tell_inlined(const Matches& matches, Ground& ground, const CommandLine& line);

}  // namespace kinst::session
