// Reads the D programs of a command line, and names them in messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "command/options/command_line.h"
#include "compile/compile.h"
#include "compile/libraries.h"

namespace kinst::command {

/// Reads the programs of files (-s), and takes the others from the command line.
/// Errors: a file cannot be read, or has nothing but blanks.
Result<std::vector<compile::ProgramText>> read_texts(const CommandLine& line);

/// Like read_texts(), and preprocesses the programs with -C. release: the release of
/// the kernel that they are for.
Result<std::vector<compile::ProgramText>> prepared_texts(const CommandLine& line,
                                                         std::string_view release);

/// The texts of programs, and behind them the library files that they need: in the
/// order in which spans count them.
std::vector<Source> sources_of(const std::vector<compile::ProgramText>& programs,
                               const compile::Libraries& libraries);

/// The name of a program in "script 'a.d' matched 2 probes", as in dtrace(1): "script
/// 'a.d'", or "description 'BEGIN'", which ends where the descriptions end.
std::string spoken_name(const ProgramArgument& argument);

}  // namespace kinst::command
