// What `$1`, `$pid` and their kind stand for in this invocation.
#pragma once

#include "d/macros.h"
#include "session/command_line.h"

namespace kinst::session {

/// The arguments of the command line and DTrace's macro variables of this process.
d::MacroValues macro_values(const CommandLine& line);

}  // namespace kinst::session
