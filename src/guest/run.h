// Runs a command line in a virtual machine that is thrown away.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "guest/machine.h"

namespace kinst::guest {

/// Takes sentences for a user who wants to know more, without a newline.
using Tell = std::function<void(std::string_view)>;

/// Boots the machine, runs the command there and ends the machine. Meanwhile the
/// command's output and errors appear on this process's, each on its own, and this
/// process's standard input is the command's unless it is a terminal. The first SIGINT,
/// SIGTERM or SIGHUP is passed on to the command; a second, or one during the boot,
/// ends the machine. Returns the command's exit status, or 128 and the number of the
/// signal that ended it or the machine. Errors: QEMU or busybox is missing, a file
/// cannot be read, the guest does not boot, or it died: then with its console's last
/// lines.
Result<int> run(const Machine& machine, const Command& command, const Tell& tell);

}  // namespace kinst::guest
