#include "base/text/utf8.h"

#include <cstdint>

namespace kinst {

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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace kinst
