// Text as HTML and XML write it.
#pragma once

#include <string>
#include <string_view>

namespace kinst::listing {

/// `text` with what marks up escaped, for elements and for quoted attributes.
inline std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Control characters are not allowed in XML, not even escaped.
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

}  // namespace kinst::listing
