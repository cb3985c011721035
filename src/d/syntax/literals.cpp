#include "d/syntax/literals.h"

#include <fmt/format.h>

#include <algorithm>

#include "d/syntax/characters.h"

namespace kinst::d {

namespace {

constexpr bool is_octal_digit(char c) {
  return c >= '0' && c <= '7';
}

// What `\c` means for the escapes of one letter; 0 for no such escape.
char simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '"':
    case '\\':
      return c;
    default:
      return '\0';
  }
}

// Appends what the escape at the beginning of `text`, behind its backslash, means.
// Returns the bytes it took.
std::size_t append_escape(std::string_view text, std::string& out) {
  const char first = text.front();
  unsigned value = 0;
  if (is_octal_digit(first)) {
    std::size_t length = 0;
    for (; length < 3 && length < text.size() && is_octal_digit(text[length]);
         ++length) {
      value = value * 8 + digit_value(text[length]);
    }
    out += static_cast<char>(value & 0xffU);
    return length;
  }
  if (first == 'x') {
    std::size_t length = 1;
    for (; length < text.size() && is_hexadecimal_digit(text[length]); ++length) {
      value = (value * 16 + digit_value(text[length])) & 0xffU;
    }
    out += static_cast<char>(value);
    return length;
  }
  if (const char meant = simple_escape(first); meant != '\0') {
    out += meant;
    return 1;
  }
  out += '\\';
  out += first;
  return 1;
}

Number overflow(Number number, std::string_view digits) {
  number.error_tag = "D_INT_OFLOW";
  number.error = fmt::format("constant {} results in integer overflow", digits);
  return number;
}

// Whether `text` begins with more of a floating-point constant than the `digits`
// decimal digits; returns the constant's length, or 0.
std::size_t floating_length(std::string_view text, std::size_t digits) {
  std::size_t at = digits;
  bool is_floating = false;
  const auto skip_digits = [&] {
    while (at < text.size() && is_digit(text[at])) {
      ++at;
    }
  };
  if (at < text.size() && text[at] == '.') {
    is_floating = true;
    ++at;
    skip_digits();
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) {
      ++exponent;
    }
    if (exponent < text.size() && is_digit(text[exponent])) {
      is_floating = true;
      at = exponent;
      skip_digits();
    }
  }
  return is_floating ? at : 0;
}

void read_suffixes(std::string_view text, Number& number) {
  while (number.length < text.size()) {
    const char c = text[number.length];
    if ((c == 'u' || c == 'U') && !number.has_unsigned_suffix) {
      number.has_unsigned_suffix = true;
    } else if ((c == 'l' || c == 'L') && number.long_suffixes < 2) {
      ++number.long_suffixes;
    } else {
      return;
    }
    ++number.length;
  }
}

}  // namespace

std::string unescape_character(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != '\\' || text.size() == 1) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(1);
    text.remove_prefix(append_escape(text, out));
  }
  return out;
}

std::string unescape_string(std::string_view text) {
  std::string out = unescape_character(text);
  out.resize(std::min(out.find('\0'), out.size()));
  return out;
}

Number read_number(std::string_view text) {
  Number number;
  const bool is_hexadecimal = text.size() > 2 && text[0] == '0' &&
                              (text[1] == 'x' || text[1] == 'X') &&
                              is_hexadecimal_digit(text[2]);
  const bool is_octal = !is_hexadecimal && text[0] == '0';
  const unsigned base = is_hexadecimal ? 16 : is_octal ? 8 : 10;
  number.is_decimal = base == 10;
  number.length = is_hexadecimal ? 2 : 0;
  char wrong_digit = '\0';
  bool has_overflow = false;
  while (number.length < text.size() &&
         (is_hexadecimal ? is_hexadecimal_digit(text[number.length])
                         : is_digit(text[number.length]))) {
    const char c = text[number.length++];
    if (digit_value(c) >= base && wrong_digit == '\0') {
      wrong_digit = c;
    }
    has_overflow = has_overflow ||
                   __builtin_mul_overflow(number.value, base, &number.value) ||
                   __builtin_add_overflow(number.value, digit_value(c), &number.value);
  }
  if (!is_hexadecimal) {
    if (const std::size_t length = floating_length(text, number.length); length != 0) {
      number.length = length;
      number.error_tag = "D_SYNTAX";
      number.error =
          "floating-point constants are not permitted: D calculates with integers";
      return number;
    }
  }
  const std::string_view digits = text.substr(0, number.length);
  read_suffixes(text, number);
  if (wrong_digit != '\0') {
    number.error_tag = "D_INT_DIGIT";
    number.error =
        fmt::format("constant {} contains invalid digit {}", digits, wrong_digit);
    return number;
  }
  return has_overflow ? overflow(number, digits) : number;
}

std::optional<SignedNumber> read_whole_number(std::string_view text) {
  SignedNumber whole;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    whole.is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || !is_digit(text.front())) {
    return std::nullopt;
  }
  whole.number = read_number(text);
  if (whole.number.length != text.size() || whole.number.error_tag == "D_SYNTAX" ||
      whole.number.error_tag == "D_INT_DIGIT") {
    return std::nullopt;
  }
  if (whole.number.error_tag == "D_INT_OFLOW") {
    whole.number.error_tag = "D_MACRO_OFLOW";
  }
  return whole;
}

}  // namespace kinst::d
