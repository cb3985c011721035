// The D texts of a command line: where they are from and what messages call them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/command_line.h"
#include "session/compile.h"

namespace kinst::session {

/// Reads the files and takes the other texts as they are.
/// Errors: a file that cannot be read, or is empty of anything but blanks.
Result<std::vector<ProgramText>> read_texts(const CommandLine& line);

/// The same, preprocessed where -C asks for it. release: of the kernel that they are
/// for.
Result<std::vector<ProgramText>> prepared_texts(const CommandLine& line,
                                                std::string_view release);

/// How dtrace(1) names a text when it says how many probes it matched: "script 'a.d'",
/// "description 'BEGIN'", with what follows the descriptions cut off.
std::string spoken_name(const ProgramArgument& argument);

}  // namespace kinst::session
