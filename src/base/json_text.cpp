#include "base/json_text.h"

#include <fmt/format.h>

namespace kinst {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char one : text) {
    switch (one) {
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
        if (static_cast<unsigned char>(one) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(one));
        } else {
          out += one;
        }
    }
  }
  return out + '"';
}

}  // namespace kinst
