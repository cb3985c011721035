#include "d/typed/join_descriptions.h"

#include <gtest/gtest.h>

namespace kinst::d {
namespace {

using Probes = std::vector<std::vector<std::size_t>>;

// Statements of clauses that stand in one text each.
struct Joined {
  std::vector<std::size_t> descriptions;  // of the clauses that are left
  Probes probes;
};

typed::Clause clause(std::size_t description, std::uint32_t text, std::uint64_t traced,
                     const types::TypeTable& types) {
  typed::Clause result{.description = description,
                       .predicate = nullptr,
                       .statements = {},
                       .span = {.begin = text, .end = text + 1}};
  typed::ActionCall trace{.action = Action::Trace};
  trace.arguments.push_back(std::make_unique<typed::Expression>(
      typed::Expression{.type = types.int_type(),
                        .span = {.begin = text, .end = text + 1},
                        .node = typed::IntegerValue{traced}}));
  result.statements.push_back({.span = {}, .node = std::move(trace)});
  return result;
}

// By description: in which text its clause stands, what it traces, its probes.
struct Given {
  std::uint32_t text = 0;
  std::uint64_t traced = 0;
  std::vector<std::size_t> probes;
};

Joined join(const std::vector<Given>& given) {
  const types::TypeTable types;
  typed::Program program;
  Joined joined;
  for (const Given& one : given) {
    program.clauses.push_back(
        clause(program.clauses.size(), one.text, one.traced, types));
    joined.probes.push_back(one.probes);
  }
  join_descriptions(program, types, joined.probes);
  for (const typed::Clause& one : program.clauses) {
    joined.descriptions.push_back(one.description);
  }
  return joined;
}

TEST(JoinDescriptions, MakesOneClauseOfThoseThatDoTheSame) {
  const Joined joined = join({{0, 1, {3, 5}}, {0, 1, {4}}, {0, 1, {1}}});
  EXPECT_EQ(joined.descriptions, std::vector<std::size_t>({0}));
  EXPECT_EQ(joined.probes, Probes({{1, 3, 4, 5}, {}, {}}));
}

TEST(JoinDescriptions, KeepsWhatAProbeRunsTwice) {
  const Joined joined = join({{0, 1, {3, 5}}, {0, 1, {5}}, {0, 1, {6}}});
  EXPECT_EQ(joined.descriptions, std::vector<std::size_t>({0, 1}));
  EXPECT_EQ(joined.probes, Probes({{3, 5, 6}, {5}, {}}));
}

TEST(JoinDescriptions, KeepsClausesOfOtherTextAndOtherCode) {
  const Joined joined =
      join({{0, 1, {1}}, {0, 2, {2}}, {0, 1, {3}}, {7, 1, {4}}, {7, 1, {5}}});
  EXPECT_EQ(joined.descriptions, std::vector<std::size_t>({0, 1, 3}));
  EXPECT_EQ(joined.probes, Probes({{1, 3}, {2}, {}, {4, 5}, {}}));
}

}  // namespace
}  // namespace kinst::d
