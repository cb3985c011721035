#include "command/options/setting_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace kinst::command {
namespace {

struct NumberPrefix {
  std::uint64_t value = 0;
  std::string_view rest;
};

// A number as C writes it, and what stands behind it.
std::optional<NumberPrefix> read_prefix(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  NumberPrefix number;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number.value, base);
  if (failure != std::errc()) {
    return std::nullopt;
  }
  number.rest = std::string_view(stop, static_cast<std::size_t>(end - stop));
  return number;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::optional<std::uint64_t> read_number(std::string_view text) {
  const std::optional<NumberPrefix> number = read_prefix(text);
  return number && number->rest.empty() ? std::optional(number->value) : std::nullopt;
}

std::optional<std::uint64_t> read_size(std::string_view text) {
  const std::optional<NumberPrefix> number = read_prefix(text);
  if (!number || number->rest.size() > 1) {
    return std::nullopt;
  }
  unsigned shift = 0;
  if (!number->rest.empty()) {
    const std::size_t unit = std::string_view("kmgt").find(lower(number->rest));
    if (unit == std::string_view::npos) {
      return std::nullopt;
    }
    shift = 10U * static_cast<unsigned>(unit + 1);
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(number->value, std::uint64_t{1} << shift, &bytes) ||
      bytes > INT64_MAX) {
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::chrono::nanoseconds> read_rate(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::uint64_t nanoseconds;
  };
  constexpr std::uint64_t second = 1'000'000'000;
  constexpr std::array units = {Unit{"", 1},
                                Unit{"ns", 1},
                                Unit{"nsec", 1},
                                Unit{"us", 1000},
                                Unit{"usec", 1000},
                                Unit{"ms", 1'000'000},
                                Unit{"msec", 1'000'000},
                                Unit{"s", second},
                                Unit{"sec", second},
                                Unit{"m", 60 * second},
                                Unit{"min", 60 * second},
                                Unit{"h", 3600 * second},
                                Unit{"hour", 3600 * second},
                                Unit{"d", 86400 * second},
                                Unit{"day", 86400 * second},
                                Unit{"hz", 0}};
  const std::optional<NumberPrefix> number = read_prefix(text);
  if (!number) {
    return std::nullopt;
  }
  const auto* unit = std::ranges::find(units, lower(number->rest), &Unit::name);
  if (unit == units.end()) {
    return std::nullopt;
  }
  if (unit->nanoseconds == 0) {
    const std::uint64_t frequency = number->value;
    return std::chrono::nanoseconds(frequency == 0 ? 0 : second / frequency);
  }
  std::int64_t nanoseconds = 0;
  if (__builtin_mul_overflow(number->value, unit->nanoseconds, &nanoseconds)) {
    return std::nullopt;
  }
  return std::chrono::nanoseconds(nanoseconds);
}

std::optional<bool> read_switch(std::string_view text) {
  struct Word {
    std::string_view text;
    bool value;
  };
  constexpr std::array words = {
      Word{"yes", true},      Word{"no", false},     Word{"enable", true},
      Word{"disable", false}, Word{"enabled", true}, Word{"disabled", false},
      Word{"true", true},     Word{"false", false},  Word{"on", true},
      Word{"off", false},     Word{"set", true},     Word{"unset", false},
      Word{"", false}};
  const auto* word = std::ranges::find(words, lower(text), &Word::text);
  if (word != words.end()) {
    return word->value;
  }
  const std::optional<std::uint64_t> number = read_number(text);
  return number ? std::optional(*number != 0) : std::nullopt;
}

}  // namespace kinst::command
