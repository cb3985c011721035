#include "codegen/generate.h"

#include <gtest/gtest.h>

#include "codegen/generated_fixture.h"

namespace kinst::codegen {
namespace {

using provider::DtraceProbe;
using testing::generate_text;

// How a program finds out whether exit() was called.
constexpr std::string_view looks_for_exit =
    "r1 = map control value +0\n    r1 = *(u64 *)(r1 +8)\n    if r1 != 0 goto";

bool looks(std::string_view code) {
  return code.find(looks_for_exit) != std::string_view::npos;
}

TEST(Generate, EndsAFiringBehindTheClauseThatExits) {
  const auto exits_first = generate_text("BEGIN { exit(0); } BEGIN { trace(1); }");
  ASSERT_EQ(exits_first->diagnostics, "");
  const std::string code = exits_first->code_of(DtraceProbe::Begin);
  const std::size_t look = code.find(looks_for_exit);
  ASSERT_NE(look, std::string::npos);
  EXPECT_LT(look, code.find("; clause 1"));
}

TEST(Generate, DoesNotLookForExitWhereNoneIsBefore) {
  EXPECT_FALSE(looks(generate_text("BEGIN { trace(1); } BEGIN { exit(0); }")
                         ->code_of(DtraceProbe::Begin)));
  EXPECT_FALSE(
      looks(generate_text("BEGIN { exit(0); } END { trace(1); } END { exit(1); }")
                ->code_of(DtraceProbe::End)));
}

TEST(Generate, LooksForExitBehindAnyClauseWhereErrorExits) {
  EXPECT_TRUE(looks(generate_text("BEGIN { trace(1); } BEGIN { trace(2); }"
                                  "ERROR { exit(1); }")
                        ->code_of(DtraceProbe::Begin)));
  EXPECT_FALSE(looks(generate_text("BEGIN { trace(1); } BEGIN { trace(2); }"
                                   "ERROR { trace(3); }")
                         ->code_of(DtraceProbe::Begin)));
}

TEST(Generate, RecordsAnAddressAndWhatItPointsAtForPrint) {
  const auto made = generate_text("BEGIN { print(curthread); print(pid); }");
  ASSERT_EQ(made->diagnostics, "");
  const auto& actions = made->generated.layouts.clauses.front().actions;
  ASSERT_EQ(actions.size(), 2U);
  ASSERT_EQ(actions[0].fields.size(), 2U);
  EXPECT_EQ(actions[0].fields[0].size_bytes, 8U);
  EXPECT_EQ(made->types.name_of(actions[0].fields[1].type), "struct task_struct");
  EXPECT_EQ(actions[1].fields.size(), 1U);
}

TEST(Generate, RecordsTheBytesThatTracememNames) {
  const auto made = generate_text("BEGIN { tracemem(curthread, 20, pid); }");
  ASSERT_EQ(made->diagnostics, "");
  const auto& fields = made->generated.layouts.clauses.front().actions.front().fields;
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].size_bytes, 20U);
  EXPECT_EQ(fields[1].size_bytes, 8U);
}

TEST(Generate, GivesMapsAFewEntriesAndNoMoreThanFit) {
  const auto made =
      generate_text("BEGIN { @[execname] = count(); a[execname] = 1; }",
                    {.dynamic_variables_size = 1, .aggregations_size = 1200});
  ASSERT_EQ(made->diagnostics, "");
  const auto entries = [&](std::string_view name) -> std::uint32_t {
    for (const bpf::MapSpecification& map : made->generated.object.maps) {
      if (map.name.starts_with(name)) {
        return map.max_entries;
      }
    }
    return 0;
  };
  EXPECT_EQ(entries("aggregation_"), 3U);
  EXPECT_EQ(entries("dynamic"), 4U);
}

}  // namespace
}  // namespace kinst::codegen
