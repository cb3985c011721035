// `-l TYPE`: types of the kernel and of D as they are declared.
#pragma once

#include "base/result.h"
#include "command/options/command_line.h"
#include "compile/match/system.h"

namespace kinst::command {

/// Prints the declaration of each type that the command line's arguments name: "struct
/// file", "pid_t". Returns the exit status.
/// Errors: an argument names no type; the message offers near names.
Result<int> list_types(const CommandLine& line, compile::KernelCode& code);

}  // namespace kinst::command
