// `--vm`: the same command line in a throwaway machine.
#pragma once

#include "base/result.h"
#include "session/command_line.h"

namespace kinst::session {

/// Runs this command, with its arguments but for --vm and --vm-file, in the guest, and
/// returns its exit status there. What its options name is this machine's: scripts are
/// read and preprocessed here, the folders of D libraries come along, the files of -o
/// and
/// --html are written here.
/// Errors: a script cannot be read, a file cannot be opened, no kernel to boot, no
/// QEMU, a guest that died.
Result<int> run_in_guest(const CommandLine& line);

}  // namespace kinst::session
