// The guest's root file system.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "guest/machine.h"

namespace kinst::guest {

/// Makes the archive that the guest's kernel unpacks and starts: busybox, the machine's
/// files with the shared libraries they need, the modules for virtio, and a first
/// process that runs `command` and talks to run() as init_script.h describes.
/// `end_mark`: written behind the command's output.
/// Errors: busybox is missing; a file or one of its libraries cannot be read.
Result<std::string> make_initramfs(const Machine& machine, const Command& command,
                                   std::string_view end_mark);

/// One word of a shell command that means `text` literally.
std::string quote_for_shell(std::string_view text);

/// The paths in what ldd(1) prints about a program.
/// Errors: a library was not found, as "libfoo.so.1 is missing".
Result<std::vector<std::string>> libraries_in_ldd_output(std::string_view output);

}  // namespace kinst::guest
