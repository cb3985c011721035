// Values of literals as D spells them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinst::d {

/// The bytes that the text between quotes means: C's escapes replaced, an unknown
/// escape kept with its backslash, cut at the first zero byte, where D's strings end.
std::string unescape_string(std::string_view text);

/// The same for a character constant, which may hold zero bytes.
std::string unescape_character(std::string_view text);

/// An integer constant, or the reason why it is none.
struct Number {
  std::size_t length = 0;  ///< bytes that belong to it
  std::uint64_t value = 0;
  bool is_decimal = true;
  bool has_unsigned_suffix = false;
  std::uint8_t long_suffixes = 0;
  std::string_view error_tag;  ///< D_INT_OFLOW, D_INT_DIGIT, D_SYNTAX; empty when right
  std::string error;
};

/// Reads the number that `text`, whose first byte is a digit, begins with.
/// Floating-point constants are read whole and are an error, as D cannot compute with
/// them.
Number read_number(std::string_view text);

/// An integer that is all of `text`, with an optional sign: a macro argument's.
/// Nothing when it is no integer. An overflow is told in error_tag (D_MACRO_OFLOW).
struct SignedNumber {
  Number number;
  bool is_negative = false;
};
std::optional<SignedNumber> read_whole_number(std::string_view text);

}  // namespace kinst::d
