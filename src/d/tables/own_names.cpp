#include "d/tables/own_names.h"

#include <fmt/format.h>

#include "d/tables/action.h"
#include "d/tables/builtin.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"
#include "d/tables/symbolic.h"
#include "d/tables/unsupported.h"
#include "record/aggregating_function.h"

namespace kinst::d {

bool is_builtin_name(std::string_view name) {
  return find_builtin(name) || find_action(name) || find_subroutine(name) ||
         find_symbolic(name) || record::find_aggregating_function(name) ||
         find_unsupported(name);
}

std::string hint_for_bare_function(std::string_view name) {
  std::string_view prototype;
  if (const auto action = find_action(name)) {
    prototype = action->prototype;
  } else if (const auto subroutine = find_subroutine(name)) {
    prototype = subroutine->prototype;
  } else if (const auto symbolic = find_symbolic(name)) {
    prototype = symbolic->prototype;
  } else if (const auto function = record::find_aggregating_function(name)) {
    prototype = record::aggregating_function_info(*function).prototype;
    return fmt::format("it gives its result to an aggregation: @ = {}({})", name,
                       parse_prototype(prototype).parameters.empty() ? "" : "…");
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
  for (const auto& function : record::all_aggregating_functions()) {
    near.offer(function.name);
  }
}

}  // namespace kinst::d
