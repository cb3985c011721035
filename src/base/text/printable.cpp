#include "base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/text/utf8.h"

namespace kinst {
namespace {

// Whether the byte is printable ASCII, or a control character that is kept.
bool is_plain(char c, KeptControls kept) {
  return (c >= ' ' && c <= '~') ||
         (kept == KeptControls::Lines && (c == '\n' || c == '\t'));
}

// Length of the character that `text` begins with if it is not ASCII and may be shown;
// else 0.
std::size_t shown_length(std::string_view text) {
  const std::size_t length = utf8_length(text);
  const bool is_control =
      length == 2 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0U;
  return length < 2 || is_control ? 0 : length;
}

}  // namespace

bool is_printable(std::string_view text, KeptControls kept) {
  // Nearly all text is plain.
  return std::ranges::all_of(text, [&](char c) { return is_plain(c, kept); }) ||
         printable(text, kept) == text;
}

std::string printable(std::string_view text, KeptControls kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = is_plain(text.front(), kept) ? 1 : shown_length(text);
    if (length == 0) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace kinst
