// What to say where a function is asked for that there is not.
#pragma once

#include <string>
#include <string_view>

#include "kernel/symbols.h"

namespace kinst::kernel {

/// That there is no such module, with near names; nothing if there is, or if any is
/// meant.
std::string why_no_module(const Symbols& symbols, std::string_view module);

/// Why no function matches, for an error: names of other modules, names that the
/// compiler gave a suffix (.isra.0, .constprop.0, .part.0, .cold), near names.
/// `module` and `name` as given to Symbols::functions, which found nothing.
std::string why_no_function(const Symbols& symbols, std::string_view module,
                            std::string_view name);

}  // namespace kinst::kernel
