// The descriptors 0, 1 and 2, as whoever starts the command left them: closed, a pipe
// that nobody reads, a disk that is full. fmt::print throws there.
#pragma once

#include <string_view>

#include "base/result.h"

namespace kinst {

/// Puts /dev/null where standard input, output or error is closed, so that nothing that
/// is opened later gets its number, and with it what is written there. Reading and
/// writing fail with EBADF as before; standard error takes everything.
void hold_standard_descriptors();

/// Writes to standard error, control characters but newline and tab as \ooo: messages
/// have names in them that others chose. What cannot be written there cannot be told
/// anywhere; once its reader has taken nothing while the process is ending, nothing
/// more is written.
void write_error(std::string_view text);
/// The same with all characters as they are, for what steers a terminal.
void write_error_as_is(std::string_view text);

/// Writes all of it, waiting where the descriptor does not take it at once, but not for
/// ever once the process is to end (write_all.h).
/// Errors: "cannot write the output: CAUSE".
Result<void> write_output(int descriptor, std::string_view text);

/// The same to standard output.
Result<void> write_output(std::string_view text);

}  // namespace kinst
