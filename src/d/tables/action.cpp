// The rows of D's actions. Prototypes: the DTrace guide, "Actions and Subroutines".
#include "d/tables/action.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::d {
namespace {

using Role = ActionRole;

constexpr auto actions = std::to_array<ActionInfo>({
    {Action::Chill, "chill", "void(int)", Role::Destructive},
    {Action::Clear, "clear", "void(@a)", Role::Data, "D_CLEAR_AGGARG"},
    {Action::Commit, "commit", "void(int)", Role::Commit},
    {Action::Denormalize, "denormalize", "void(@a)", Role::Data, "D_NORMALIZE_AGGARG"},
    {Action::Discard, "discard", "void(int)", Role::Discard},
    {Action::Exit, "exit", "void(int)", Role::Exit},
    {Action::Freopen, "freopen", "void(@, ...)", Role::Destructive},
    {Action::Ftruncate, "ftruncate", "void()"},
    {Action::Normalize, "normalize", "void(@a, uint64_t)", Role::Data,
     "D_NORMALIZE_AGGARG"},
    {Action::Print, "print", "void(@)"},
    {Action::Printa, "printa", "void(@a, ...)", Role::Data, "D_PRINTA_AGGARG"},
    {Action::Printf, "printf", "void(@, ...)"},
    {Action::Printm, "printm", "void(size_t, uintptr_t *)"},
    {Action::Raise, "raise", "void(int)", Role::Destructive},
    {Action::Setopt, "setopt", "void(const char *, [const char *])"},
    {Action::Speculate, "speculate", "void(int)", Role::Speculate},
    {Action::Stop, "stop", "void()", Role::Destructive},
    {Action::System, "system", "void(@, ...)", Role::Destructive},
    {Action::Trace, "trace", "void(@)"},
    {Action::Tracemem, "tracemem", "void(@, size_t, [size_t])"},
    {Action::Trunc, "trunc", "void(@a, [int64_t])", Role::Data, "D_TRUNC_AGGARG"},
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
