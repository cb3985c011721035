// The names of D's built-in variables and functions.
#pragma once

#include <string>
#include <string_view>

#include "base/text/near_names.h"

namespace kinst::d {

/// Whether D itself uses the name for a variable or function.
bool is_builtin_name(std::string_view name);
/// A hint for a function's name without arguments: "call it, as in exit(0)".
std::string hint_for_bare_function(std::string_view name);
/// Offers the functions, actions and aggregating functions of D.
void offer_functions(NearNames& near);

}  // namespace kinst::d
