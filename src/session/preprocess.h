// The C preprocessor before D: -C.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "session/settings.h"

namespace kinst::session {

/// What cpp makes of a script, with the macros that dtrace(1) defines (__linux,
/// __SUNW_D, the machine's) and settings.preprocessor_arguments. A first line "#!…" is
/// blanked, as cpp would not take it. What cpp says goes to standard error.
/// name: of the script, for messages. release: the kernel's, for a macro of its name.
/// Errors: cpp cannot be run, or fails.
Result<std::string> preprocess(std::string_view text, std::string_view name,
                               const Settings& settings, std::string_view release);

/// The running kernel's release.
std::string running_release();

}  // namespace kinst::session
