// The descriptors 0, 1 and 2 in whatever state the command inherits them: closed, a
// pipe without a reader, a file on a full disk. fmt::print would throw in these cases.
#pragma once

#include <string_view>

#include "base/result.h"

namespace kinst {

/// Opens /dev/null on each of the descriptors 0, 1 and 2 that is closed. Otherwise a
/// file that is opened later would get the number, and the stream's output would be
/// written to that file. Reading from standard input and writing to standard output
/// still fail with EBADF; standard error accepts everything.
void hold_standard_descriptors();

/// Writes to standard error. Control characters except newline and tab are written as
/// \ooo, because messages contain names that others chose. A failed write is ignored,
/// as there is nowhere else to report it. If the reader takes nothing while the process
/// is ending, nothing more is written after that.
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
