// Text that came from somewhere else may be none.
#pragma once

#include <cstddef>
#include <string_view>

namespace kinst {

/// Length of the UTF-8 sequence that `text`, which is not empty, begins with; 0 if it
/// begins with none: cut off, longer than needed, a surrogate, or beyond Unicode.
std::size_t utf8_length(std::string_view text);

/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace kinst
