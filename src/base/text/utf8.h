// Checks for UTF-8: bytes from outside the program may be something else.
#pragma once

#include <cstddef>
#include <string_view>

namespace kinst {

/// Length of the UTF-8 sequence at the beginning of `text`, which is not empty. 0 if no
/// valid sequence is there: it is cut off, longer than needed, a surrogate, or beyond
/// Unicode.
std::size_t utf8_length(std::string_view text);

/// Whether all of `text` is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace kinst
