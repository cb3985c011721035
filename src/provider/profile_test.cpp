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

TEST(ProfileProvider, SaysWhyARateIsNone) {
  ProfileProvider provider;
  const auto match = provider.match(named("tick-1us"));
  ASSERT_TRUE(match);
  EXPECT_EQ(match->why_none,
            "tick-1us is too often: the kernel's clock fires every 10us at most");
}

}  // namespace
}  // namespace kinst::provider
