// `--vm`: the same command line in a throwaway machine.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "session/command_line.h"

namespace kinst::session {

/// Runs this command, with its arguments but for --vm and --vm-file, in the guest, and
/// returns its exit status there. The scripts of -s come along.
/// Errors: no kernel to boot, no QEMU, a guest that died.
Result<int> run_in_guest(const CommandLine& line,
                         const std::vector<std::string>& arguments);

}  // namespace kinst::session
