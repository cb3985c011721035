// Shell patterns, as probe descriptions use them.
#pragma once

#include <string_view>

namespace kinst {

/// Whether `text` as a whole matches `pattern`: `*`, `?`, `[a-z]`, `[!a-z]`, and `\`
/// before a character that stands for itself. A `[` that is never closed stands for
/// itself.
bool glob_matches(std::string_view pattern, std::string_view text);

/// Whether `pattern` can match more than one text.
bool is_glob(std::string_view pattern);

}  // namespace kinst
