// Text as JSON writes it.
#pragma once

#include <string>
#include <string_view>

namespace kinst {

/// Appends `text` between quotes, with what JSON does not allow there escaped. Bytes
/// that are no UTF-8 become U+FFFD, the replacement character.
void append_json_string(std::string& out, std::string_view text);
std::string json_string(std::string_view text);

}  // namespace kinst
