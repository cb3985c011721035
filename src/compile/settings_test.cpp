#include "compile/settings.h"

#include <gtest/gtest.h>

namespace kinst::compile {
namespace {

std::string refusal(std::string_view name, std::optional<std::string_view> value,
                    SettingMoment moment = SettingMoment::CommandLine) {
  Settings settings;
  const auto set = set_option(settings, name, value, moment);
  return set ? "" : set.error().message;
}

std::uint64_t buffer_bytes(std::string_view value) {
  Settings settings;
  EXPECT_TRUE(set_option(settings, "bufsize", value, SettingMoment::Pragma)) << value;
  return settings.buffer_bytes;
}

std::int64_t status_nanoseconds(std::string_view value) {
  Settings settings;
  EXPECT_TRUE(set_option(settings, "statusrate", value, SettingMoment::Pragma))
      << value;
  return settings.status_interval.count();
}

TEST(Settings, ReadSizesWithTheirUnits) {
  EXPECT_EQ(buffer_bytes("100"), 100U);
  EXPECT_EQ(buffer_bytes("0x10"), 16U);
  EXPECT_EQ(buffer_bytes("4k"), 4096U);
  EXPECT_EQ(buffer_bytes("2M"), 2U << 20U);
  EXPECT_EQ(buffer_bytes("1g"), std::uint64_t{1} << 30U);
  EXPECT_EQ(buffer_bytes("1T"), std::uint64_t{1} << 40U);
}

TEST(Settings, ReadRatesAsTimesAndFrequencies) {
  EXPECT_EQ(status_nanoseconds("5"), 5);
  EXPECT_EQ(status_nanoseconds("5us"), 5000);
  EXPECT_EQ(status_nanoseconds("10ms"), 10'000'000);
  EXPECT_EQ(status_nanoseconds("2sec"), 2'000'000'000);
  EXPECT_EQ(status_nanoseconds("1min"), 60'000'000'000);
  EXPECT_EQ(status_nanoseconds("1day"), 86'400'000'000'000);
  EXPECT_EQ(status_nanoseconds("100Hz"), 10'000'000);
}

TEST(Settings, ReadSwitchesAsDTraceDoes) {
  for (const std::string_view word :
       {"yes", "YES", "SeT", "on", "enable", "true", "1"}) {
    Settings settings;
    EXPECT_TRUE(set_option(settings, "quiet", word, SettingMoment::Pragma));
    EXPECT_TRUE(settings.quiet) << word;
  }
  for (const std::string_view word :
       {"no", "Off", "unset", "disabled", "false", "0", ""}) {
    Settings settings;
    settings.quiet = true;
    EXPECT_TRUE(set_option(settings, "quiet", word, SettingMoment::Pragma));
    EXPECT_FALSE(settings.quiet) << word;
  }
  EXPECT_EQ(refusal("quiet", "please"),
            "invalid value for the option: it takes on or off");
}

TEST(Settings, RefuseValuesOutOfTheirRange) {
  constexpr std::string_view no_size =
      "invalid value for the option: it takes a number of bytes, 1 or more; k, m, g "
      "and "
      "t behind it are units";
  EXPECT_EQ(refusal("bufsize", "-1"), no_size);
  EXPECT_EQ(refusal("bufsize", "0"), no_size);
  EXPECT_EQ(refusal("bufsize", "1b"), no_size);
  EXPECT_EQ(refusal("bufsize", "99999999999999t"), no_size);
  EXPECT_EQ(refusal("bufsize", std::nullopt), no_size);
  EXPECT_EQ(refusal("strsize", "1"),
            "invalid value for the option: it takes a number of bytes, 2 to 8191; k, "
            "m, g and t behind it are units");
  EXPECT_EQ(refusal("nspec", "-72"),
            "invalid value for the option: it takes a number up to 134217728");
  EXPECT_EQ(refusal("nspec", "245566729809009887663"),
            "invalid value for the option: it takes a number up to 134217728");
  EXPECT_EQ(refusal("bufpolicy", "drain"),
            "invalid value for the option: it takes switch, fill or ring");
  EXPECT_EQ(refusal("version", "99.1"),
            "invalid value for the option: it takes a version of D, 1.0 to 2.0");
  EXPECT_EQ(refusal("statusrate", "1fortnight"),
            "invalid value for the option: it takes a time, as in 10ms, or a "
            "frequency, as in 5hz");
}

TEST(Settings, SuggestNearNames) {
  EXPECT_EQ(refusal("bufsiz", "1"), "invalid option name: did you mean 'bufsize'?");
  EXPECT_EQ(refusal("nonsense", "1"), "invalid option name");
}

TEST(Settings, SayWhyAnOptionMeansNothing) {
  EXPECT_EQ(refusal("ctfpath", "/x"),
            "the option means nothing here: the kernel's types come from its BTF");
}

TEST(Settings, AllowLessTheLaterTheyAreSet) {
  EXPECT_EQ(refusal("cpp", std::nullopt, SettingMoment::Pragma),
            "the option cannot be set within a D program");
  EXPECT_EQ(refusal("bufsize", "1m", SettingMoment::Running),
            "the option cannot be set while tracing");
  EXPECT_EQ(refusal("quiet", "on", SettingMoment::Running), "");
}

TEST(Settings, CollectThePreprocessorsArgumentsInOrder) {
  Settings settings;
  for (const auto& [name, value] :
       {std::pair{"define", "A=1"}, std::pair{"incdir", "/x"},
        std::pair{"undef", "A"}}) {
    EXPECT_TRUE(set_option(settings, name, value, SettingMoment::CommandLine));
  }
  EXPECT_EQ(settings.preprocessor_arguments,
            (std::vector<std::string>{"-DA=1", "-I/x", "-UA"}));
}

TEST(Settings, ComeFromTheEnvironment) {
  Settings settings;
  EXPECT_TRUE(set_from_environment(settings, {"HOME=/", "DTRACE_OPT_BUFSIZE=8k"}));
  EXPECT_EQ(settings.buffer_bytes, 8192U);
  EXPECT_EQ(set_from_environment(settings, {"DTRACE_OPT_BUFSIZE=x"}).error().message,
            "DTRACE_OPT_BUFSIZE=x: invalid value for the option: it takes a number of "
            "bytes, 1 or more; k, m, g and t behind it are units");
}

}  // namespace
}  // namespace kinst::compile
