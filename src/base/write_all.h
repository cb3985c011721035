// Writing to descriptors of any kind.
#pragma once

#include <string_view>

namespace kinst {

/// Writes all of it, waiting where the descriptor does not take it at once; goes on
/// after interruptions. Returns 0, or errno of what went wrong.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

}  // namespace kinst
