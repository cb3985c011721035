// The table of D's options: a row for each, with the kind of its value and where that
// goes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "command/options/settings.h"

namespace kinst::command::setting {

/// No value: set. As dtrace(1) has it for options of compilation, a value is ignored.
struct Flag {
  void (*set)(Settings& settings);
};
/// yes/no, on/off, or a number.
struct Switch {
  void (*set)(Settings& settings, bool value);
};
struct Number {
  void (*set)(Settings& settings, std::uint64_t value);
  std::uint64_t most = UINT32_MAX;
};
/// Bytes with k, m, g, t.
struct Size {
  void (*set)(Settings& settings, std::uint64_t value);
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
};
/// A time or a frequency.
struct Rate {
  void (*set)(Settings& settings, std::chrono::nanoseconds value);
};
/// One of some names. set: returns whether it is one of them.
struct Choice {
  bool (*set)(Settings& settings, std::string_view name);
  std::string (*names)();
};
/// Text that is added to a list.
struct Addition {
  std::vector<std::string>& (*list)(Settings& settings);
  std::string_view prefix;
};
struct Text {
  std::string& (*text)(Settings& settings);
};
/// A value with rules of its own; returns whether it has been understood.
struct Custom {
  bool (*set)(Settings& settings, std::optional<std::string_view> value);
  std::string_view takes;  ///< for the message if not
};
/// Known, but without a meaning here.
struct Refused {
  std::string_view reason;
};

struct Row {
  std::string_view name;
  SettingMoment until;  ///< the last moment at which it may be set
  std::variant<Flag, Switch, Number, Size, Rate, Choice, Addition, Text, Custom,
               Refused>
      kind;
  SettingInGuest in_guest = SettingInGuest::Passed;
};

/// All options, in the order in which near names are offered.
std::span<const Row> rows();

/// What a Rate may be.
constexpr std::string_view a_rate = "a time, as in 10ms, or a frequency, as in 5hz";

}  // namespace kinst::command::setting
