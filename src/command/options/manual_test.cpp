// The manual page tells of what the tables of options have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/system/read_file.h"
#include "command/options/option_table.h"
#include "command/options/setting_table.h"

namespace kinst::command {
namespace {

// A section's source, from its heading to the next.
std::string section(std::string_view heading) {
  const auto page = read_file(KINST_MANUAL, std::size_t{1} << 20U);
  EXPECT_TRUE(page.has_value()) << page.error().message;
  const std::string begin = fmt::format("\n.SH {}\n", heading);
  const std::size_t at = page->find(begin);
  EXPECT_NE(at, std::string::npos) << heading;
  const std::string behind = page->substr(at + begin.size());
  return behind.substr(0, behind.find("\n.SH "));
}

// A line as it is read: without its macro, its fonts and its quotes.
std::string plain(std::string_view line) {
  const bool has_macro = line.starts_with('.');
  const bool joins = has_macro && !line.starts_with(".B ") && !line.starts_with(".I ");
  if (has_macro) {
    line.remove_prefix(std::min(line.find(' '), line.size()));
  }
  std::string out;
  bool is_quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at, 2) == "\\-") {
      out += '-';
      ++at;
    } else if (line.substr(at, 2) == "\\f") {
      at += 2;
    } else if (line[at] == '"') {
      is_quoted = !is_quoted;
    } else if (line[at] != ' ' || is_quoted || !joins) {
      out += line[at];
    }
  }
  return out.substr(std::min(out.find_first_not_of(' '), out.size()));
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

// What is told as an entry: "-s" or "--vm", with what stands behind it.
std::multimap<std::string, std::string> entries() {
  std::multimap<std::string, std::string> found;
  std::istringstream lines(section("OPTIONS"));
  bool is_head = false;
  for (std::string line; std::getline(lines, line);) {
    if (is_head) {
      for (const std::string& one : split(plain(line), ", ")) {
        const bool is_long = one.starts_with("--");
        const std::size_t end =
            is_long ? std::min(one.find_first_of(" [="), one.size()) : 2;
        found.emplace(one.substr(0, end), one.substr(end));
      }
    }
    is_head = line == ".TP";
  }
  return found;
}

// Every word of the section that is an option.
std::set<std::string> mentioned() {
  std::set<std::string> found;
  std::istringstream lines(section("OPTIONS"));
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& one : split(plain(line), ", ")) {
      if (one.starts_with("-") && one.size() > 1) {
        found.insert(one.substr(0, one.find_first_of(" [=.")));
      }
    }
  }
  return found;
}

TEST(Manual, TellsOfEveryOptionOfTheCommandAndOfNoOther) {
  std::set<std::string> known;
  const auto told = entries();
  const auto words = mentioned();
  for (const option::Row& row : option::rows()) {
    if (row.letter != '\0') {
      known.insert(fmt::format("-{}", row.letter));
    }
    if (!row.name.empty()) {
      known.insert(fmt::format("--{}", row.name));
    }
  }
  for (const std::string& one : known) {
    EXPECT_TRUE(told.contains(one) || words.contains(one)) << one;
  }
  EXPECT_GT(told.size(), 30U);
  for (const auto& [option, behind] : told) {
    EXPECT_TRUE(known.contains(option)) << option;
  }
}

TEST(Manual, TellsWhichOptionsOfTheCommandTakeAValue) {
  const auto told = entries();
  for (const option::Row& row : option::rows()) {
    const std::string spelled = option::spelled(row);
    const auto entry = told.find(spelled);
    // The programs' options share an entry, types behind -l are no value of it.
    const bool is_program = std::holds_alternative<option::AddsProgram>(row.effect);
    if (entry == told.end() || (is_program && spelled != "-s") || spelled == "-l") {
      continue;
    }
    EXPECT_EQ(!entry->second.empty(), row.takes != option::Takes::Nothing) << spelled;
    EXPECT_EQ(entry->second.starts_with("[="),
              row.takes == option::Takes::OptionalValue)
        << spelled;
  }
}

// The names in a text.
std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  std::string name;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty()) {
      names.insert(std::exchange(name, {}));
    }
  }
  return names;
}

TEST(Manual, TellsOfEveryOptionOfDAndWhichAreRefused) {
  const std::string text = section("OPTIONS OF D");
  const std::size_t refusals = text.find("Refused with the reason:");
  ASSERT_NE(refusals, std::string::npos);
  const std::set<std::string> usable = names_in(text.substr(0, refusals));
  const std::set<std::string> refused = names_in(text.substr(refusals));
  for (const setting::Row& row : setting::rows()) {
    const bool is_refused = std::holds_alternative<setting::Refused>(row.kind);
    EXPECT_TRUE((is_refused ? refused : usable).contains(std::string(row.name)))
        << row.name;
    EXPECT_FALSE((is_refused ? usable : refused).contains(std::string(row.name)))
        << row.name;
  }
}

}  // namespace
}  // namespace kinst::command
