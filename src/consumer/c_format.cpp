#include "consumer/c_format.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace kinst::consumer {
namespace {

constexpr std::int64_t largest_width = record::largest_width;

// "%", flags, width, precision; what follows names the type.
std::string start_of(const CFormat& format) {
  std::string text = "%" + format.flags;
  if (format.width != 0) {
    text += std::to_string(format.width);
  }
  if (format.precision) {
    text += "." + std::to_string(*format.precision);
  }
  return text;
}

template <typename... Values>
void append_printf(std::string& out, const std::string& format, Values... values) {
  constexpr std::size_t usual_bytes = 64;
  const std::size_t before = out.size();
  out.resize(before + usual_bytes);
  const int length =
      std::snprintf(&out[before], usual_bytes, format.c_str(), values...);
  const auto wanted = static_cast<std::size_t>(std::max(length, 0));
  out.resize(before + wanted);
  if (wanted >= usual_bytes) {
    // snprintf writes a zero byte behind the text, where a string keeps its own.
    std::snprintf(&out[before], wanted + 1, format.c_str(), values...);
  }
}

}  // namespace

CFormat c_format(const record::Directive& directive, std::int64_t width,
                 std::optional<std::int64_t> precision) {
  CFormat format;
  format.flags += directive.alternate ? "#" : "";
  format.flags += directive.zero_pad ? "0" : "";
  format.flags += directive.left || width < 0 ? "-" : "";
  format.flags += directive.plus ? "+" : "";
  format.flags += directive.group ? "'" : "";
  format.flags += directive.space ? " " : "";
  format.width = static_cast<std::uint32_t>(
      std::clamp(width < 0 ? -std::max(width, -largest_width) : width, std::int64_t{0},
                 largest_width));
  // DTrace takes a precision of 0 for none.
  if (precision && *precision > 0) {
    format.precision = static_cast<std::uint32_t>(std::min(*precision, largest_width));
  }
  return format;
}

void append_signed(std::string& out, const CFormat& format, char letter,
                   std::int64_t value) {
  append_printf(out, start_of(format) + "ll" + letter, static_cast<long long>(value));
}

void append_unsigned(std::string& out, const CFormat& format, char letter,
                     std::uint64_t value) {
  append_printf(out, start_of(format) + "ll" + letter,
                static_cast<unsigned long long>(value));
}

void append_real(std::string& out, const CFormat& format, char letter,
                 long double value) {
  append_printf(out, start_of(format) + "L" + letter, value);
}

void append_character(std::string& out, const CFormat& format, char value) {
  append_printf(out, start_of(format) + "c", static_cast<int>(value));
}

void append_text(std::string& out, const CFormat& format, std::string_view value) {
  if (format.precision) {
    value = value.substr(0, *format.precision);
  }
  const std::size_t padding =
      format.width > value.size() ? format.width - value.size() : 0;
  const bool left = format.flags.find('-') != std::string::npos;
  out.append(left ? 0 : padding, ' ');
  out += value;
  out.append(left ? padding : 0, ' ');
}

}  // namespace kinst::consumer
