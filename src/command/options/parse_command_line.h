// Reads the command line by the table of options.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "command/options/command_line.h"

namespace kinst::command {

/// Reads the command line.
/// arguments: argv, with the command's name first. Options may stand anywhere, may be
/// joined (-qn), may have their value in the next word, and may be repeated. All words
/// behind "--" are macro arguments.
/// settings: the options that the environment has set.
tl::expected<CommandLine, CommandLineError> parse_command_line(
    const std::vector<std::string>& arguments, Settings settings);

}  // namespace kinst::command
