#include "d/names.h"

#include <fmt/format.h>

#include "d/action.h"
#include "d/aggregating_function.h"
#include "d/builtin.h"
#include "d/prototype.h"
#include "d/subroutine.h"
#include "d/symbolic.h"
#include "d/unsupported.h"

namespace kinst::d {

std::optional<typed::VariableId> Names::find_variable(typed::VariableScope scope,
                                                      std::string_view name) const {
  if (scope == typed::VariableScope::Global) {
    const GlobalSymbol* symbol = find(globals, name);
    const auto* id =
        symbol == nullptr ? nullptr : std::get_if<typed::VariableId>(symbol);
    return id == nullptr ? std::nullopt : std::optional(*id);
  }
  const auto* id =
      find(scope == typed::VariableScope::Thread ? thread_variables : clause_variables,
           name);
  return id == nullptr ? std::nullopt : std::optional(*id);
}

typed::VariableId Names::add_variable(typed::Variable variable) {
  const auto id = static_cast<typed::VariableId>(variables.size());
  switch (variable.scope) {
    case typed::VariableScope::Global:
      globals.insert_or_assign(variable.name, id);
      break;
    case typed::VariableScope::Thread:
      thread_variables.insert_or_assign(variable.name, id);
      break;
    case typed::VariableScope::Clause:
      clause_variables.insert_or_assign(variable.name, id);
      break;
  }
  variables.push_back(std::move(variable));
  return id;
}

bool is_builtin_name(std::string_view name) {
  return find_builtin(name) || find_action(name) || find_subroutine(name) ||
         find_symbolic(name) || find_aggregating_function(name) ||
         find_unsupported(name);
}

void offer_identifiers(const Names& names, NearNames& near) {
  for (const auto& [name, symbol] : names.globals) {
    near.offer(name);
  }
  for (const BuiltinInfo& builtin : all_builtins()) {
    near.offer(builtin.name);
  }
}

std::string hint_for_bare_function(std::string_view name) {
  std::string_view prototype;
  if (const auto action = find_action(name)) {
    prototype = action->prototype;
  } else if (const auto subroutine = find_subroutine(name)) {
    prototype = subroutine->prototype;
  } else if (const auto symbolic = find_symbolic(name)) {
    prototype = symbolic->prototype;
  } else {
    return {};
  }
  const Prototype parsed = parse_prototype(prototype);
  const std::string example = example_of_call(name, parsed);
  return example.empty() ? fmt::format("its form is {}", form_of_call(name, parsed))
                         : fmt::format("call it, as in {}", example);
}

void offer_functions(NearNames& near) {
  for (const ActionInfo& action : all_actions()) {
    near.offer(action.name);
  }
  for (const SubroutineInfo& subroutine : all_subroutines()) {
    near.offer(subroutine.name);
  }
  for (const SymbolicInfo& symbolic : all_symbolics()) {
    near.offer(symbolic.name);
  }
  for (const std::string_view name : all_aggregating_functions()) {
    near.offer(name);
  }
}

}  // namespace kinst::d
