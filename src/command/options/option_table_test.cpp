#include "command/options/option_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "command/options/parse_command_line.h"
#include "command/options/set_option.h"

namespace kinst::command {
namespace {

using Words = std::vector<std::string>;

tl::expected<CommandLine, CommandLineError> parse(Words words) {
  words.insert(words.begin(), "kinst");
  return parse_command_line(words, {});
}

// A value that each option takes which takes one.
const std::map<std::string, std::string>& values() {
  static const std::map<std::string, std::string> all = {{"-n", "BEGIN"},
                                                         {"-f", "vfs_read"},
                                                         {"-m", "ext4"},
                                                         {"-P", "kinst"},
                                                         {"-i", "1"},
                                                         {"-s", "--script"},
                                                         {"-o", "file"},
                                                         {"-c", "ls --vm"},
                                                         {"-p", "1"},
                                                         {"-x", "strsize=8"},
                                                         {"-b", "1k"},
                                                         {"-O", "json"},
                                                         {"-D", "NAME"},
                                                         {"-U", "NAME"},
                                                         {"-I", "/include"},
                                                         {"-X", "s"},
                                                         {"-L", "/library"},
                                                         {"-3", "2"},
                                                         {"-6", "4"},
                                                         {"--vm", "6.1"},
                                                         {"--vm-file", "/file"},
                                                         {"--disas", "vfs_read"},
                                                         {"--annotate", "vfs_read"},
                                                         {"--html", "page.html"},
                                                         {"--output-descriptor", "5"}};
  return all;
}

// An option as words: with its value behind it, where it takes one.
Words words_of(const option::Row& row) {
  const std::string spelled = option::spelled(row);
  switch (row.takes) {
    case option::Takes::Nothing:
      return {spelled};
    case option::Takes::Value:
      return {spelled, values().at(spelled)};
    case option::Takes::OptionalValue:
      return {fmt::format("{}={}", spelled, values().at(spelled))};
  }
  return {};
}

// A command line that any option can be added to.
Words others_for(const option::Row& row) {
  const std::string spelled = option::spelled(row);
  if (spelled == "-h") {
    return {};
  }
  return spelled == "--html" ? Words{"--annotate", "f"} : Words{"-n", "END", "one"};
}

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// The words that the command in the guest gets.
Words in_guest(const CommandLine& line) {
  Words out;
  for (const GuestWord& word : line.guest_words) {
    out.push_back(word.text);
    if (word.program) {
      out.push_back(line.programs.at(*word.program).text);
    }
  }
  return out;
}

TEST(OptionTable, HasEachLetterAndEachNameOnce) {
  std::set<std::string> known;
  for (const option::Row& row : option::rows()) {
    EXPECT_TRUE(row.letter != '\0' || !row.name.empty());
    if (row.letter != '\0') {
      EXPECT_TRUE(known.insert(std::string(1, row.letter)).second) << row.letter;
    }
    if (!row.name.empty()) {
      EXPECT_GT(row.name.size(), 1U);
      EXPECT_TRUE(known.insert(std::string(row.name)).second) << row.name;
    }
  }
}

// What an option says here must be what the words that --vm passes on say there.
TEST(OptionTable, SaysInTheGuestWhatItSaysHere) {
  std::size_t refused = 0;
  for (const option::Row& row : option::rows()) {
    SCOPED_TRACE(option::spelled(row));
    const Words given = words_of(row);
    const Words others = others_for(row);
    const auto here = parse(given + others);
    const auto before_guest = parse(given + others + Words{"--vm"});
    if (const auto* unusable = std::get_if<option::Unusable>(&row.in_guest)) {
      EXPECT_TRUE(here.has_value());
      EXPECT_EQ(before_guest.error().message, unusable->reason);
      continue;
    }
    if (!before_guest) {
      // What it says of itself, if not its synopsis: -a, -G, -32.
      EXPECT_NE(before_guest.error().message.find(option::spelled(row)),
                std::string::npos)
          << before_guest.error().message;
      ++refused;
      continue;
    }
    if (before_guest->mode == Mode::Help || before_guest->mode == Mode::Version) {
      continue;  // the guest is not asked
    }
    const Words passed = in_guest(*before_guest);
    const auto there = parse(passed);
    ASSERT_TRUE(there.has_value()) << there.error().message;
    Words expected = given + others;
    if (std::holds_alternative<option::Kept>(row.in_guest)) {
      expected = others;
    } else if (const auto* other = std::get_if<option::Replaced>(&row.in_guest)) {
      expected = Words{std::string(other->word)} + others;
    } else if (const auto* setting = std::get_if<option::SetsDOption>(&row.effect);
               setting != nullptr &&
               setting_in_guest(setting->name) == SettingInGuest::Done) {
      expected = others;
    }
    EXPECT_EQ(*there, *parse(expected)) << testing::PrintToString(passed);
  }
  EXPECT_EQ(refused, 3U);
}

// Joined to its value, an option says the same as with the value in the next word; a
// long one takes it behind '=', too.
TEST(OptionTable, TakesValuesInEitherWord) {
  for (const option::Row& row : option::rows()) {
    const std::string spelled = option::spelled(row);
    if (row.takes != option::Takes::Value || spelled == "-3") {
      continue;
    }
    SCOPED_TRACE(spelled);
    const std::string separator = row.letter == '\0' ? "=" : "";
    const Words others = others_for(row) + Words{"--vm"};
    const Words joined = {spelled + separator + values().at(spelled)};
    const auto in_one = parse(joined + others);
    const auto in_two = parse(words_of(row) + others);
    ASSERT_EQ(in_one.has_value(), in_two.has_value());
    if (in_one) {
      EXPECT_EQ(*in_one, *in_two);
    } else {
      EXPECT_EQ(in_one.error().message, in_two.error().message);
    }
    EXPECT_NE(parse(Words{spelled}).error().message.find("requires an argument"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace kinst::command
