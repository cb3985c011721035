// What `$1`, `$pid` and their kind stand for in this invocation.
#pragma once

#include "command/options/command_line.h"
#include "d/syntax/macros.h"

namespace kinst::command {

/// The arguments of the command line and DTrace's macro variables of this process.
d::MacroValues macro_values(const CommandLine& line);

}  // namespace kinst::command
