// Names that people know from C and from bpftrace, and what D has instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinst::d {

/// A hint for a variable that D does not have: "in D this is execname". Empty if the
/// name is not such a word.
std::string hint_for_variable(std::string_view name);

/// The same for a function.
std::string hint_for_function(std::string_view name);

/// What is said of `//` and `#`, by which other languages begin comments.
constexpr std::string_view comment_hint = "a comment is written /* ... */";

/// Whether the byte at `at` is one of the two '/' that begin a C++ comment.
bool is_comment_of_cpp(std::string_view text, std::size_t at);

}  // namespace kinst::d
