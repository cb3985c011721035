// The rows of D's actions. Prototypes: the DTrace guide, "Actions and Subroutines".
#include "d/tables/action.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::d {
namespace {

constexpr auto actions = std::to_array<ActionInfo>({
    {.action = Action::Chill,
     .name = "chill",
     .prototype = "void(int)",
     .is_destructive = true,
     .records_data = true},
    {.action = Action::Clear,
     .name = "clear",
     .prototype = "void(@)",
     .records_data = true},
    {.action = Action::Commit, .name = "commit", .prototype = "void(int)"},
    {.action = Action::Denormalize,
     .name = "denormalize",
     .prototype = "void(@)",
     .records_data = true},
    {.action = Action::Discard, .name = "discard", .prototype = "void(int)"},
    {.action = Action::Exit,
     .name = "exit",
     .prototype = "void(int)",
     .records_data = true},
    {.action = Action::Freopen,
     .name = "freopen",
     .prototype = "void(@, ...)",
     .is_destructive = true,
     .records_data = true},
    {.action = Action::Ftruncate,
     .name = "ftruncate",
     .prototype = "void()",
     .records_data = true},
    {.action = Action::Normalize,
     .name = "normalize",
     .prototype = "void(@, uint64_t)",
     .records_data = true},
    {.action = Action::Print,
     .name = "print",
     .prototype = "void(@)",
     .records_data = true},
    {.action = Action::Printa,
     .name = "printa",
     .prototype = "void(@, ...)",
     .records_data = true},
    {.action = Action::Printf,
     .name = "printf",
     .prototype = "void(@, ...)",
     .records_data = true},
    {.action = Action::Printm,
     .name = "printm",
     .prototype = "void(size_t, uintptr_t *)",
     .records_data = true},
    {.action = Action::Raise,
     .name = "raise",
     .prototype = "void(int)",
     .is_destructive = true,
     .records_data = true},
    {.action = Action::Setopt,
     .name = "setopt",
     .prototype = "void(const char *, [const char *])",
     .records_data = true},
    {.action = Action::Speculate, .name = "speculate", .prototype = "void(int)"},
    {.action = Action::Stop,
     .name = "stop",
     .prototype = "void()",
     .is_destructive = true,
     .records_data = true},
    {.action = Action::System,
     .name = "system",
     .prototype = "void(@, ...)",
     .is_destructive = true,
     .records_data = true},
    {.action = Action::Trace,
     .name = "trace",
     .prototype = "void(@)",
     .records_data = true},
    {.action = Action::Tracemem,
     .name = "tracemem",
     .prototype = "void(@, size_t, [size_t])",
     .records_data = true},
    {.action = Action::Trunc,
     .name = "trunc",
     .prototype = "void(@, [int64_t])",
     .records_data = true},
});

}  // namespace

std::optional<ActionInfo> find_action(std::string_view name) {
  const auto* const found = std::ranges::find(actions, name, &ActionInfo::name);
  return found == actions.end() ? std::nullopt : std::optional(*found);
}

const ActionInfo& action_info(Action action) {
  const auto* const found = std::ranges::find(actions, action, &ActionInfo::action);
  assert(found != actions.end());
  return *found;
}

std::span<const ActionInfo> all_actions() {
  return actions;
}

}  // namespace kinst::d
