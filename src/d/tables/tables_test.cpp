#include <gtest/gtest.h>

#include "d/tables/action.h"
#include "d/tables/builtin.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"
#include "d/tables/symbolic.h"
#include "record/aggregating_function.h"

namespace kinst::d {
namespace {

TEST(Tables, FindEveryRowByItsOwnName) {
  for (const ActionInfo& row : all_actions()) {
    EXPECT_EQ(find_action(row.name)->action, row.action);
    EXPECT_EQ(action_info(row.action).name, row.name);
  }
  for (const SubroutineInfo& row : all_subroutines()) {
    EXPECT_EQ(find_subroutine(row.name)->subroutine, row.subroutine);
    EXPECT_EQ(subroutine_info(row.subroutine).name, row.name);
  }
  for (const BuiltinInfo& row : all_builtins()) {
    EXPECT_EQ(find_builtin(row.name)->builtin, row.builtin);
    EXPECT_EQ(builtin_info(row.builtin).name, row.name);
  }
  for (const auto& row : record::all_aggregating_functions()) {
    EXPECT_EQ(record::find_aggregating_function(row.name), row.function);
    EXPECT_EQ(name_of(row.function), row.name);
  }
  for (const SymbolicInfo& row : all_symbolics()) {
    EXPECT_EQ(find_symbolic(row.name)->kind, row.kind);
  }
}

TEST(Tables, SayWhatStandsForTheArgumentThatASubroutineCanBeCalledWithout) {
  for (const SubroutineInfo& row : all_subroutines()) {
    const Prototype prototype = parse_prototype(row.prototype);
    const std::size_t optional = prototype.parameters.size() - prototype.required();
    EXPECT_EQ(optional, row.left_out == LeftOut::Nothing ? 0U : 1U) << row.name;
    for (const auto& argument : {row.scratch_bytes, row.written}) {
      EXPECT_LT(argument.value_or(0), prototype.required() + (argument ? 0 : 1))
          << row.name;
    }
    EXPECT_LE(row.constant.value_or(0), prototype.parameters.size()) << row.name;
  }
}

TEST(Tables, FindNothingByAnotherName) {
  EXPECT_FALSE(find_action("print_"));
  EXPECT_FALSE(find_subroutine(""));
  EXPECT_FALSE(find_builtin("arg10"));
  EXPECT_FALSE(record::find_aggregating_function("median"));
  EXPECT_FALSE(find_symbolic("symbol"));
}

}  // namespace
}  // namespace kinst::d
