#include "command/options/set_option.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "command/options/setting_table.h"

namespace kinst::command {
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
  return settings.compilation.storage.buffer_size;
}

std::int64_t status_nanoseconds(std::string_view value) {
  Settings settings;
  EXPECT_TRUE(set_option(settings, "statusrate", value, SettingMoment::Pragma))
      << value;
  return settings.tracing.status_interval.count();
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
    EXPECT_TRUE(settings.output.quiet) << word;
  }
  for (const std::string_view word :
       {"no", "Off", "unset", "disabled", "false", "0", ""}) {
    Settings settings;
    settings.output.quiet = true;
    EXPECT_TRUE(set_option(settings, "quiet", word, SettingMoment::Pragma));
    EXPECT_FALSE(settings.output.quiet) << word;
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
  EXPECT_EQ(settings.preprocessing.arguments,
            (std::vector<std::string>{"-DA=1", "-I/x", "-UA"}));
}

TEST(Settings, ComeFromTheEnvironment) {
  Settings settings;
  EXPECT_TRUE(set_from_environment(settings, {"HOME=/", "DTRACE_OPT_BUFSIZE=8k"}));
  EXPECT_EQ(settings.compilation.storage.buffer_size, 8192U);
  EXPECT_EQ(set_from_environment(settings, {"DTRACE_OPT_BUFSIZE=x"}).error().message,
            "DTRACE_OPT_BUFSIZE=x: invalid value for the option: it takes a number of "
            "bytes, 1 or more; k, m, g and t behind it are units");
}

TEST(Settings, AreForTheTerminalAndTheSuiteOfTheEnvironment) {
  Settings settings;
  EXPECT_TRUE(set_from_environment(
      settings, {"DTRACE_OPT_ENCODING=utf8", "TERM=dumb", "_DTRACE_TESTING=1"}));
  EXPECT_FALSE(settings.output.drawing.is_ascii);
  EXPECT_TRUE(settings.output.hides_cpu_and_id);
  EXPECT_TRUE(set_from_environment(settings, {"TERM=sun-color"}));
  EXPECT_TRUE(settings.output.drawing.is_ascii);
}

TEST(Settings, SayWhatTheGuestGetsOfThem) {
  EXPECT_EQ(setting_in_guest("strsize"), SettingInGuest::Passed);
  EXPECT_EQ(setting_in_guest("cpp"), SettingInGuest::Done);
  EXPECT_EQ(setting_in_guest("nonsense"), std::nullopt);
  EXPECT_TRUE(is_for_guest("DTRACE_OPT_STRSIZE=8"));
  EXPECT_TRUE(is_for_guest("TERM=dumb"));
  EXPECT_FALSE(is_for_guest("DTRACE_OPT_CPP="));
  EXPECT_FALSE(is_for_guest("HOME=/"));
  Settings settings;
  EXPECT_EQ(folders_for_guest(settings), std::vector<std::string>());
  settings.libraries = {.system_folder = "/system", .folders = {"/a", "/b"}};
  EXPECT_EQ(folders_for_guest(settings),
            (std::vector<std::string>{"/system", "/a", "/b"}));
}

// Values for an option; one of them is not its default.
std::vector<std::optional<std::string>> values_for(const setting::Row& row) {
  static const std::map<std::string_view, std::string> of_custom = {
      {"setenv", "A=1"},    {"unsetenv", "A"}, {"cppargs", "-DB"}, {"version", "1.0"},
      {"cleanrate", "1hz"}, {"pgmax", "1"},    {"kdefs", ""},      {"udefs", ""},
      {"lockmem", ""},      {"temporal", ""}};
  if (std::holds_alternative<setting::Switch>(row.kind)) {
    return {"on", "off"};
  }
  if (const auto* choice = std::get_if<setting::Choice>(&row.kind)) {
    const std::string names = choice->names();
    return {names.substr(0, names.find_first_of(" ,")),
            names.substr(names.rfind(' ') + 1)};
  }
  if (std::holds_alternative<setting::Custom>(row.kind)) {
    return {of_custom.at(row.name)};
  }
  if (std::holds_alternative<setting::Flag>(row.kind)) {
    return {std::nullopt};
  }
  return {"17"};
}

// What is set to a value other than the default, as all fields are compared.
Settings changed_by(const setting::Row& row) {
  for (const std::optional<std::string>& value : values_for(row)) {
    Settings settings;
    const auto set = set_option(settings, row.name, value, SettingMoment::CommandLine);
    EXPECT_TRUE(set) << row.name << ": " << set.error().message;
    if (settings != Settings()) {
      return settings;
    }
  }
  return {};
}

TEST(Settings, AreEachChangedByAnOptionOfTheirOwn) {
  std::vector<Settings> known = {Settings()};
  std::string without_effect;
  for (const setting::Row& row : setting::rows()) {
    if (std::holds_alternative<setting::Refused>(row.kind)) {
      continue;
    }
    const Settings settings = changed_by(row);
    if (std::ranges::find(known, settings) != known.end()) {
      without_effect += std::string(row.name) + " ";
    }
    known.push_back(settings);
  }
  EXPECT_EQ(without_effect, "version kdefs udefs cleanrate pgmax lockmem temporal ");
}

}  // namespace
}  // namespace kinst::command
