// Long text on a terminal.
#pragma once

#include <string_view>

#include "base/result.h"

namespace kinst::session {

/// Shows text for people through the program that PAGER names, less if it names none,
/// when standard output is a terminal; else, and where there is no such program, prints
/// it. Returns when the reader has seen enough. Errors: it cannot be written.
Result<void> show(std::string_view text);

}  // namespace kinst::session
