// Checks of a --vm command line that need no virtual machine, made before one is
// booted.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "command/options/command_line.h"
#include "command/program_texts.h"
#include "guest/machine.h"

namespace kinst::command {

/// Whether the programs' syntax is right, which does not depend on the kernel they run
/// on. Prints each error with its place. An unknown type is no error here, because the
/// guest's kernel may have it.
bool check_syntax(const CommandLine& line, std::vector<compile::ProgramText> texts);

/// Checks that the guest will have the command of -c: it must come with the guest
/// (busybox has it) or with --vm-file.
/// files: the files that are copied into the guest.
/// Errors: the guest will not have the command; the message names the option that
/// brings it.
Result<void> check_guest_command(const CommandLine& line,
                                 std::span<const guest::File> files);

}  // namespace kinst::command
