// Shows long text on a terminal.
#pragma once

#include <string_view>

#include "base/result.h"

namespace kinst::command {

/// Shows text through a pager if standard output is a terminal: the program in PAGER,
/// or else less. Prints the text if standard output is no terminal or there is no such
/// program. Returns when the reader has left the pager. Errors: the text cannot be
/// written.
Result<void> show(std::string_view text);

}  // namespace kinst::command
