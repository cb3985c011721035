// Warns about traced functions that are also inlined into other functions.
#pragma once

#include "command/options/command_line.h"
#include "compile/match/match.h"
#include "kernel/debug/lazy_debug_information.h"

namespace kinst::command {

/// Prints a line if functions with a probe at their entry or return are also inlined
/// elsewhere: the probe does not fire in the copies, and the line says how to trace
/// these. Copies are found in debug information. With -v it is opened for this;
/// otherwise it is used only if the program has opened it, because opening a kernel
/// image's takes long. Prints nothing with -q.
void tell_inlined(const compile::Matches& matches, kernel::LazyDebugInformation& debug,
                  const CommandLine& line);

}  // namespace kinst::command
