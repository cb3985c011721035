// Error sentences for a function or module that does not exist.
#pragma once

#include <string>
#include <string_view>

#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// Says that the module does not exist, with near names. Empty if the module exists, or
/// if the pattern means any module.
std::string why_no_module(const Symbols& symbols, std::string_view module);

/// Why no function matches, for an error: names of other modules, names that the
/// compiler gave a suffix (.isra.0, .constprop.0, .part.0, .cold), near names.
/// `module` and `name` as given to Symbols::functions, which found nothing.
std::string why_no_function(const Symbols& symbols, std::string_view module,
                            std::string_view name);

}  // namespace kinst::kernel
