#include "base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace kinst {
namespace {

// Length of the UTF-8 sequence that `text` begins with, and 0 if it begins with none:
// cut off, longer than needed, a surrogate, or beyond Unicode.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t place) {
    return static_cast<unsigned char>(text[place]);
  };
  const unsigned first = byte(0);
  if (first < 0x80U) {
    return 1;
  }
  const std::size_t length = first >= 0xf0U ? 4 : first >= 0xe0U ? 3 : 2;
  if (first < 0xc2U || first > 0xf4U || text.size() < length) {
    return 0;
  }
  std::uint32_t character = first & (0xffU >> (length + 1));
  for (std::size_t place = 1; place < length; ++place) {
    if ((byte(place) & 0xc0U) != 0x80U) {
      return 0;
    }
    character = character << 6U | (byte(place) & 0x3fU);
  }
  const bool is_overlong =
      (length == 3 && character < 0x800U) || (length == 4 && character < 0x10000U);
  const bool is_none =
      (character >= 0xd800U && character < 0xe000U) || character > 0x10ffffU;
  return is_overlong || is_none ? 0 : length;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20U || c == '\x7f') {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                       static_cast<unsigned char>(c));
      } else {
        out += c;
      }
      break;
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 1) {
      append_escaped(out, text.front());
    } else if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace kinst
