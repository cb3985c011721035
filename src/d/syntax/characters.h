// Classes of characters, independent of the locale.
#pragma once

namespace kinst::d {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_hexadecimal_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

constexpr unsigned digit_value(char c) {
  if (is_digit(c)) {
    return static_cast<unsigned>(c - '0');
  }
  return static_cast<unsigned>(c >= 'a' ? c - 'a' : c - 'A') + 10U;
}

constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace kinst::d
