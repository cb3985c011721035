#include "compile/match/match.h"

#include <gtest/gtest.h>

#include <memory>

namespace kinst::compile {
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

/// Has nothing yet.
class WaitingProvider final : public provider::Provider {
 public:
  [[nodiscard]] std::string_view name() const override { return "told"; }
  Result<provider::Match> match(const d::Description& /*description*/) override {
    return provider::Match{};
  }
  provider::Match coming(const d::Description& description) override {
    provider::Match found;
    if (description.name == "never") {
      found.why_none = "it never comes";
      return found;
    }
    found.probes.push_back({.provider = "told",
                            .name = description.name,
                            .site = provider::ComingFunction{}});
    return found;
  }
};

Matches match_waiting(const char* name, Unmatched unmatched, Diagnostics& diagnostics) {
  d::Program program;
  d::Clause clause;
  clause.probes.emplace_back(named(name));
  program.items.emplace_back(std::move(clause));
  const d::Program* const programs[] = {&program};
  Providers providers;
  providers.push_back(std::make_unique<WaitingProvider>());
  return match(programs, providers, unmatched, diagnostics);
}

TEST(Match, MeansWhatComesLaterOnlyWhereNothingMayBeThereYet) {
  Diagnostics diagnostics;
  const Matches waiting = match_waiting("later", Unmatched::IsAllowed, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty());
  EXPECT_EQ(waiting.of_description.front(), std::vector<std::size_t>{3});
  EXPECT_FALSE(provider::is_awaited(waiting.probes.all().at(3)))
      << "the kernel will find its place";
  const Matches refused = match_waiting("later", Unmatched::IsError, diagnostics);
  EXPECT_TRUE(refused.of_description.front().empty());
  EXPECT_EQ(diagnostics.all().size(), 1U);
}

TEST(Match, SaysWhatCannotBeWaitedFor) {
  Diagnostics diagnostics;
  const Matches matches = match_waiting("never", Unmatched::IsAllowed, diagnostics);
  EXPECT_TRUE(matches.of_description.front().empty());
  EXPECT_EQ(matches.notes,
            std::vector<std::string>{"told:::never is not waited for: it never comes"});
}

}  // namespace
}  // namespace kinst::compile
