// Runs the C preprocessor on a program: -C.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "command/options/preprocessor_options.h"

namespace kinst::command {

/// The output of cpp for a script, with the macros that dtrace(1) defines (__linux,
/// __SUNW_D, the machine's) and the arguments of `options`. A first line "#!…" is
/// blanked, because cpp would refuse it. cpp's messages go to standard error.
/// name: the script's name, for messages. release: the kernel's release, for the macro
/// __Linux_RELEASE.
/// Errors: cpp cannot be run, or fails.
Result<std::string> preprocess(std::string_view text, std::string_view name,
                               const PreprocessorOptions& options,
                               std::string_view release);

/// The running kernel's release.
std::string running_release();

}  // namespace kinst::command
