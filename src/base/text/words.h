// Commands as a user writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst {

/// Splits a command line into words: blanks separate, ' and " quote, \ escapes.
/// Errors: a quote that does not end.
Result<std::vector<std::string>> split_words(std::string_view command);

}  // namespace kinst
