#include "d/check/declared_names.h"

#include <algorithm>
#include <utility>

#include "d/tables/builtin.h"

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

typed::LocalId Names::add_local(typed::Local local) {
  const auto known = std::ranges::find(locals, local);
  const auto id = static_cast<typed::LocalId>(known - locals.begin());
  if (known == locals.end()) {
    locals.push_back(std::move(local));
  }
  return id;
}

void offer_identifiers(const Names& names, NearNames& near) {
  for (const auto& [name, symbol] : names.globals) {
    near.offer(name);
  }
  for (const BuiltinInfo& builtin : all_builtins()) {
    near.offer(builtin.name);
  }
}

}  // namespace kinst::d
