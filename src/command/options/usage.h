// What the command says of itself.
#pragma once

#include <string>
#include <string_view>

namespace kinst::command {

/// The usage: how the command is called, and its options; fits a screen of 24 lines.
std::string usage(std::string_view command);

/// "kinst: kinst 0.1.0, D 2.0\n", as -V prints.
std::string version(std::string_view command);

}  // namespace kinst::command
