#include "session/match.h"

#include <gtest/gtest.h>

#include <memory>

namespace kinst::session {
namespace {

/// Has a probe of every name, and counts how often it is asked.
class CountingProvider final : public provider::Provider {
 public:
  explicit CountingProvider(std::size_t& asked) : asked_(&asked) {}

  [[nodiscard]] std::string_view name() const override { return "told"; }
  Result<provider::Match> match(const d::Description& description) override {
    ++*asked_;
    provider::Match found;
    found.probes.push_back({.provider = "told", .name = description.name});
    found.skipped.push_back({.probe = "told:::other", .reason = "no"});
    found.notes.emplace_back("a note");
    return found;
  }

 private:
  std::size_t* asked_;
};

d::Description named(std::string name) {
  return {.provider = "told", .name = std::move(name)};
}

TEST(Match, AsksOnceForEqualDescriptions) {
  d::Program program;
  d::Clause clause;
  for (const char* name : {"a", "b", "a", "a"}) {
    clause.probes.emplace_back(named(name));
  }
  program.items.emplace_back(std::move(clause));
  const d::Program* const programs[] = {&program};
  std::size_t asked = 0;
  Providers providers;
  providers.push_back(std::make_unique<CountingProvider>(asked));
  Diagnostics diagnostics;
  const Matches matches = match(programs, providers, Unmatched::IsError, diagnostics);
  EXPECT_EQ(asked, 2U);
  // BEGIN, END and ERROR are the first three.
  using Indexes = std::vector<std::size_t>;
  EXPECT_EQ(matches.of_description, (std::vector<Indexes>{{3}, {4}, {3}, {3}}));
  EXPECT_EQ(matches.skipped.size(), 2U) << "what is left out is told once";
  EXPECT_EQ(matches.notes.size(), 2U);
}

}  // namespace
}  // namespace kinst::session
