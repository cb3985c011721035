// Text as JSON writes it.
#pragma once

#include <string>
#include <string_view>

namespace kinst {

/// `text` between quotes, with what JSON does not allow there escaped. Bytes that are
/// no UTF-8 are kept as they are.
std::string json_string(std::string_view text);

}  // namespace kinst
