// Names that people know from C and from bpftrace, and what D has instead.
#pragma once

#include <string>
#include <string_view>

namespace kinst::d {

/// A hint for a variable that D does not have: "in D this is execname". Empty if the
/// name is not such a word.
std::string hint_for_variable(std::string_view name);

/// The same for a function.
std::string hint_for_function(std::string_view name);

}  // namespace kinst::d
