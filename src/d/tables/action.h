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

/// What an action is to the other actions of its clause. Some may not stand behind
/// others: StatementChecker::check_order().
enum class ActionRole : std::uint8_t {
  Data,         ///< records data; it may be speculative
  Destructive,  ///< changes the system, or what a process sees of it
  Exit,         ///< records data, and ends the run
  Aggregation,  ///< of what is assigned to an aggregation, which is no action
  Speculate,
  Commit,
  Discard,
};

struct ActionInfo {
  Action action{};
  std::string_view name;
  /// As SubroutineInfo::prototype; "..." stands for any further arguments, "@a" for an
  /// aggregation.
  std::string_view prototype;
  ActionRole role = ActionRole::Data;
  /// DTrace's tag of the error that what stands in place of its aggregation is none;
  /// empty if it takes no aggregation.
  std::string_view aggregation_tag;
};

std::optional<ActionInfo> find_action(std::string_view name);
const ActionInfo& action_info(Action action);
std::span<const ActionInfo> all_actions();

}  // namespace kinst::d
