#include "provider/profile.h"

#include <gtest/gtest.h>

namespace kinst::provider {
namespace {

d::Description named(std::string name) {
  d::Description description;
  description.provider = "profile";
  description.name = std::move(name);
  return description;
}

TEST(ParsePeriod, TakesRatesAndTheUnitsOfTheGuide) {
  using namespace std::chrono_literals;
  EXPECT_EQ(parse_period("100"), 10ms);
  EXPECT_EQ(parse_period("100hz"), 10ms);
  EXPECT_EQ(parse_period("10ms"), 10ms);
  EXPECT_EQ(parse_period("10msec"), 10ms);
  EXPECT_EQ(parse_period("2s"), 2s);
  EXPECT_EQ(parse_period("1min"), 60s);
  EXPECT_EQ(parse_period("1d"), 24h);
}

TEST(ParsePeriod, RefusesWhatIsNoRate) {
  for (const char* text :
       {"", "0", "ms", "10parsecs", "-1s", "1.5s", "18446744073709551615d"}) {
    EXPECT_EQ(parse_period(text), std::nullopt) << text;
  }
}

TEST(ProfileProvider, FiresProfileOnEveryCpuAndTickOnOne) {
  ProfileProvider provider;
  const auto profile = provider.match(named("profile-1000"));
  const auto tick = provider.match(named("tick-1000"));
  ASSERT_TRUE(profile && tick);
  EXPECT_TRUE(std::get<Timer>(profile->probes.at(0).site).on_every_cpu);
  EXPECT_FALSE(std::get<Timer>(tick->probes.at(0).site).on_every_cpu);
}

std::vector<std::string> names_of(const Result<Match>& match) {
  std::vector<std::string> names;
  for (const Probe& probe : match->probes) {
    names.push_back(probe.name);
  }
  return names;
}

// The list is that of DTrace's guide, chapter "profile provider".
TEST(ProfileProvider, HasTheProbesReadyThatDtraceHas) {
  ProfileProvider provider;
  const std::vector<std::string> ticks = {"tick-1",   "tick-10",   "tick-100",
                                          "tick-500", "tick-1000", "tick-5000"};
  EXPECT_EQ(names_of(provider.match(named("tick-*"))), ticks);
  EXPECT_EQ(names_of(provider.match(named(""))).size(), 13U);
  const auto profile = provider.match(named("profile-97"));
  EXPECT_EQ(names_of(provider.match(named("*-97"))), names_of(profile));
  EXPECT_EQ(std::get<Timer>(provider.match(named("*-97"))->probes.at(0).site).period_ns,
            std::get<Timer>(profile->probes.at(0).site).period_ns);
  EXPECT_TRUE(provider.match(named("nothing*"))->probes.empty());
}

TEST(ProfileProvider, SaysWhatItsProbesAreCalled) {
  ProfileProvider provider;
  EXPECT_EQ(
      provider.match(named("every-1s"))->why_none,
      "its probes are profile-N on every CPU and tick-N on one, N times a second, "
      "or as long apart as N with ms, s, m or h says");
}

TEST(ProfileProvider, SaysWhyARateIsNone) {
  ProfileProvider provider;
  const auto match = provider.match(named("tick-1us"));
  ASSERT_TRUE(match);
  EXPECT_EQ(match->why_none,
            "tick-1us is too often: the kernel's clock fires every 10us at most");
}

}  // namespace
}  // namespace kinst::provider
