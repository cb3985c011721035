// `--vm`: runs the same command line in a virtual machine that is thrown away.
#pragma once

#include "base/result.h"
#include "command/options/command_line.h"

namespace kinst::command {

/// Runs this command with its arguments in the guest and returns its exit status. What
/// becomes of each option there, the tables of options say. Files that options name are
/// this machine's: scripts are read and preprocessed here, the folders of D libraries
/// are copied into the guest, and the files of -o and --html are written here.
/// Errors: a script cannot be read, a file cannot be opened, there is no kernel to
/// boot, there is no QEMU, or the guest died.
Result<int> run_in_guest(const CommandLine& line);

}  // namespace kinst::command
