// Other programs that may be installed on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace kinst {

/// The program of that name in the directories of PATH.
std::optional<std::filesystem::path> find_program(std::string_view name);

}  // namespace kinst
