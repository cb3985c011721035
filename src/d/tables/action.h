// D's actions: what a clause records or does. The table has one row for each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kinst::d {

enum class Action : std::uint8_t {
  Chill,
  Clear,
  Commit,
  Denormalize,
  Discard,
  Exit,
  Freopen,
  Ftruncate,
  Normalize,
  Print,
  Printa,
  Printf,
  Printm,
  Raise,
  Setopt,
  Speculate,
  Stop,
  System,
  Trace,
  Tracemem,
  Trunc,
};

struct ActionInfo {
  Action action{};
  std::string_view name;
  /// As SubroutineInfo::prototype; "..." stands for any further arguments.
  std::string_view prototype;
  bool is_destructive = false;
  /// The action records data. It may be speculative, and cannot be combined with
  /// commit() or discard().
  bool records_data = false;
};

std::optional<ActionInfo> find_action(std::string_view name);
const ActionInfo& action_info(Action action);
std::span<const ActionInfo> all_actions();

}  // namespace kinst::d
