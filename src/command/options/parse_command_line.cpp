// Reads the command line by the table of options.
#include "command/options/parse_command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "base/text/near_names.h"
#include "command/options/option_table.h"
#include "command/options/set_option.h"

namespace kinst::command {
namespace {

using option::Row;
using option::Takes;

const Row* find_letter(char letter) {
  const auto all = option::rows();
  const auto row = std::ranges::find(all, letter, &Row::letter);
  return letter == '\0' || row == all.end() ? nullptr : &*row;
}

const Row* find_name(std::string_view name) {
  const auto all = option::rows();
  const auto row = std::ranges::find(all, name, &Row::name);
  return name.empty() || row == all.end() ? nullptr : &*row;
}

std::string unknown_name(std::string_view name) {
  NearNames near(name);
  for (const Row& row : option::rows()) {
    if (!row.name.empty()) {
      near.offer(row.name);
    }
  }
  const std::vector<std::string> names = near.names();
  return fmt::format(
      "unknown option --{}{}", name,
      names.empty() ? "" : fmt::format(": did you mean --{}?", names.front()));
}

// "-G, -h, -l, -V, --disas and --annotate", of which only one can be given.
std::string mode_options() {
  std::vector<std::string> letters;
  std::vector<std::string> names;
  for (const Row& row : option::rows()) {
    if (std::holds_alternative<option::ChoosesMode>(row.effect)) {
      (row.letter != '\0' ? letters : names).push_back(option::spelled(row));
    }
  }
  std::ranges::sort(letters, {}, [](const std::string& spelled) {
    return std::tolower(static_cast<unsigned char>(spelled.back()));
  });
  letters.insert(letters.end(), names.begin(), names.end());
  const std::string last = letters.back();
  letters.pop_back();
  return fmt::format("{} and {}", fmt::join(letters, ", "), last);
}

// What a word without an option before it may have been meant for.
std::string instead_of_argument(const std::string& word) {
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(word, ignored);
  return fmt::format("did you mean {} '{}'?", is_file ? "-s" : "-n", word);
}

// NAME or NAME=VALUE.
struct Pair {
  std::string_view name;
  std::optional<std::string_view> value;
};

Pair split_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return {.name = text, .value = std::nullopt};
  }
  return {.name = text.substr(0, equals), .value = text.substr(equals + 1)};
}

// Reads words one after the other into a CommandLine.
class Reader {
 public:
  Reader(const std::vector<std::string>& words, Settings settings) : words_(words) {
    line_.settings = std::move(settings);
  }

  tl::expected<CommandLine, CommandLineError> read();

 private:
  using Outcome = tl::expected<void, CommandLineError>;

  Outcome read_letters(std::string_view word);
  Outcome read_long(std::string_view word);
  Outcome apply(const Row& row, const std::optional<std::string>& value);
  // value: of the option of the command line, for the message.
  Outcome set(Pair setting, const Row& row, std::string_view value);
  Outcome finish();
  Outcome finish_mode();
  void add_argument(const std::string& word);
  // What the machine of --vm gets of an option.
  void keep_for_guest(const Row& row, const std::optional<std::string>& value);
  void pass_to_guest(const Row& row, const std::optional<std::string>& value);
  // The next word, as the value of an option.
  std::optional<std::string> take_word();

  const std::vector<std::string>& words_;
  std::size_t next_ = 1;
  bool asks_for_help_ = false;
  std::vector<const Row*> modes_;             // the options that chose a mode
  std::optional<std::string_view> unusable_;  // why --vm cannot be given, too
  CommandLine line_;
};

tl::expected<CommandLine, CommandLineError> Reader::read() {
  line_.path = words_.empty() ? "kinst" : words_.front();
  line_.command = line_.path.substr(line_.path.rfind('/') + 1);
  if (words_.size() < 2) {
    return tl::unexpected(CommandLineError{});
  }
  while (next_ < words_.size()) {
    const std::string& word = words_[next_++];
    if (word == "--") {
      line_.guest_words.push_back({.text = word, .program = {}});
      while (next_ < words_.size()) {
        add_argument(words_[next_++]);
      }
    } else if (word.size() < 2 || word.front() != '-') {
      add_argument(word);
    } else {
      KINST_CHECK(word[1] == '-' ? read_long(std::string_view(word).substr(2))
                                 : read_letters(std::string_view(word).substr(1)));
    }
  }
  KINST_CHECK(finish());
  return std::move(line_);
}

void Reader::add_argument(const std::string& word) {
  line_.arguments.push_back(word);
  line_.guest_words.push_back({.text = word, .program = {}});
}

std::optional<std::string> Reader::take_word() {
  return next_ < words_.size() ? std::optional(words_[next_++]) : std::nullopt;
}

// "qn", or "nBEGIN": letters of options; the first that has a value takes the rest.
Reader::Outcome Reader::read_letters(std::string_view word) {
  while (!word.empty()) {
    const char letter = word.front();
    word.remove_prefix(1);
    const Row* row = find_letter(letter);
    if (row == nullptr) {
      return refuse_usage(fmt::format("invalid option -- '{}'", letter));
    }
    if (row->takes != Takes::Value) {
      KINST_CHECK(apply(*row, std::nullopt));
      continue;
    }
    const std::optional<std::string> value =
        word.empty() ? take_word() : std::optional(std::string(word));
    if (!value) {
      return refuse_usage(fmt::format("option requires an argument -- '{}'", letter));
    }
    return apply(*row, value);
  }
  return {};
}

Reader::Outcome Reader::read_long(std::string_view word) {
  const Pair pair = split_pair(word);
  std::optional<std::string> value(pair.value);
  const Row* row = find_name(pair.name);
  if (row == nullptr) {
    return refuse_usage(unknown_name(pair.name));
  }
  if (row->takes == Takes::Nothing && value) {
    return refuse_usage(fmt::format("option --{} takes no value", pair.name));
  }
  if (row->takes == Takes::Value && !value) {
    value = take_word();
    if (!value) {
      return refuse_usage(fmt::format("option --{} requires an argument", pair.name));
    }
  }
  return apply(*row, value);
}

Reader::Outcome Reader::apply(const Row& row, const std::optional<std::string>& value) {
  keep_for_guest(row, value);
  return std::visit(
      Overloaded{[&](const option::SetsDOption& setting) {
                   const bool has_value = value && !value->empty();
                   return set({setting.name, has_value ? value : std::nullopt}, row,
                              value.value_or(""));
                 },
                 [&](const option::SetsNamedDOption&) {
                   return set(split_pair(*value), row, *value);
                 },
                 [&](const option::AddsProgram& program) -> Outcome {
                   line_.programs.push_back({.is_file = program.is_file,
                                             .text = *value,
                                             .last_field = program.last_field});
                   return {};
                 },
                 [&](const option::ChoosesMode& mode) -> Outcome {
                   modes_.push_back(&row);
                   line_.mode = mode.mode;
                   line_.functions = value.value_or(line_.functions);
                   return {};
                 },
                 [&](const option::AsksForHelp&) -> Outcome {
                   asks_for_help_ = true;
                   return {};
                 },
                 [&](const option::SetsFlag& flag) -> Outcome {
                   line_.*flag.member = true;
                   return {};
                 },
                 [&](const option::SetsText& text) -> Outcome {
                   line_.*text.member = value;
                   return {};
                 },
                 [&](const option::AddsText& list) -> Outcome {
                   (line_.*list.member).push_back(*value);
                   return {};
                 },
                 [&](const option::SetsSyntax& chosen) -> Outcome {
                   line_.syntax = chosen.syntax;
                   return {};
                 },
                 [&](const option::Acts& action) { return action.act(line_, value); },
                 [&](const option::Refuses& refused) -> Outcome {
                   return refuse(std::string(refused.reason), 1);
                 }},
      row.effect);
}

Reader::Outcome Reader::set(Pair setting, const Row& row, std::string_view value) {
  const auto done = set_option(line_.settings, setting.name, setting.value,
                               SettingMoment::CommandLine);
  if (!done) {
    return refuse(fmt::format("failed to set {}{}{}: {}", option::spelled(row),
                              value.empty() ? "" : " ", value, done.error().message),
                  1);
  }
  return {};
}

void Reader::keep_for_guest(const Row& row, const std::optional<std::string>& value) {
  std::visit(
      Overloaded{[&](const option::Passed&) { pass_to_guest(row, value); },
                 [](const option::Kept&) {},
                 [&](const option::ProgramCarried&) {
                   line_.guest_words.push_back({.text = option::spelled(row),
                                                .program = line_.programs.size()});
                 },
                 [&](const option::Replaced& other) {
                   line_.guest_words.push_back(
                       {.text = std::string(other.word), .program = {}});
                 },
                 [&](const option::Unusable& refused) { unusable_ = refused.reason; }},
      row.in_guest);
}

void Reader::pass_to_guest(const Row& row, const std::optional<std::string>& value) {
  std::optional<std::string_view> setting;
  if (const auto* set = std::get_if<option::SetsDOption>(&row.effect)) {
    setting = set->name;
  } else if (std::holds_alternative<option::SetsNamedDOption>(row.effect)) {
    setting = split_pair(*value).name;
  }
  if (setting && setting_in_guest(*setting) == SettingInGuest::Done) {
    return;
  }
  if (row.letter == '\0') {
    line_.guest_words.push_back(
        {.text = option::spelled(row) + (value ? "=" + *value : ""), .program = {}});
    return;
  }
  line_.guest_words.push_back({.text = option::spelled(row), .program = {}});
  if (value) {
    line_.guest_words.push_back({.text = *value, .program = {}});
  }
}

// -h asks for help, unless there are programs that headers could be made of.
Reader::Outcome Reader::finish_mode() {
  if (asks_for_help_) {
    line_.mode = Mode::Help;
    return {};
  }
  if (modes_.size() > 1) {
    return refuse(
        fmt::format("only one of the options {} can be given", mode_options()), 2);
  }
  if (modes_.empty()) {
    return {};
  }
  const Row& row = *modes_.front();
  const auto& chosen = std::get<option::ChoosesMode>(row.effect);
  const bool is_plain_h = row.letter == 'h' && line_.programs.empty();
  if (!chosen.refusal.empty() && !is_plain_h) {
    return refuse(fmt::format("{}: {}", option::spelled(row), chosen.refusal), 1);
  }
  return {};
}

Reader::Outcome Reader::finish() {
  KINST_CHECK(finish_mode());
  if (line_.mode == Mode::Help) {
    return {};
  }
  if (line_.mode == Mode::List) {
    line_.settings.compilation.unmatched = compile::Unmatched::IsAllowed;
  }
  if (line_.html_path && line_.mode != Mode::Annotate) {
    return refuse("--html is a page of what --annotate counts", 2);
  }
  if (!line_.guest_files.empty() && !line_.guest) {
    return refuse("--vm-file is for the virtual machine of --vm", 2);
  }
  if (line_.guest && unusable_) {
    return refuse(std::string(*unusable_), 1);
  }
  if (line_.mode == Mode::Trace && line_.programs.empty()) {
    return refuse(fmt::format("no probes specified: {}",
                              line_.arguments.empty()
                                  ? "-n takes a description, -s a script"
                                  : instead_of_argument(line_.arguments.front())),
                  1);
  }
  return {};
}

}  // namespace

tl::expected<CommandLine, CommandLineError> parse_command_line(
    const std::vector<std::string>& arguments, Settings settings) {
  return Reader(arguments, std::move(settings)).read();
}

}  // namespace kinst::command
