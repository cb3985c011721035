// `-l TYPE`: types of the kernel and of D as they are declared.
#pragma once

#include "base/result.h"
#include "session/command_line.h"
#include "session/ground.h"

namespace kinst::session {

/// Prints the declaration of each type that the command line's arguments name: "struct
/// file", "pid_t". Returns the exit status.
/// Errors: an argument names no type; the message offers near names.
Result<int> list_types(const CommandLine& line, KernelCode& code);

}  // namespace kinst::session
