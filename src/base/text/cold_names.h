// The names of the unlikely parts of functions, which compilers put elsewhere.
#pragma once

#include <string_view>

namespace kinst {

/// The function that a part was split off from: "vfs_read" for "vfs_read.cold" and, as
/// Clang and older GCC have it, "vfs_read.cold.12". Empty if it is the name of no such
/// part.
std::string_view whole_of_cold_part(std::string_view name);

}  // namespace kinst
