// Makes names that others chose harmless for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinst {

/// Which control characters stay as they are.
enum class KeptControls : std::uint8_t {
  None,   ///< for a name
  Lines,  ///< newline and tab, for text of several lines
};

/// Whether printable() would change nothing.
bool is_printable(std::string_view text, KeptControls kept = KeptControls::None);

/// The text with each control character, which a terminal would obey, and each byte
/// that is not UTF-8 written as \ooo, three octal digits, as ls -b and D's %S do.
/// Control characters are 0 to 0x1f, 0x7f, and U+0080 to U+009f.
std::string printable(std::string_view text, KeptControls kept = KeptControls::None);

}  // namespace kinst
