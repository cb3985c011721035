#include "command/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text/near_names.h"

namespace kinst::command {
namespace {

using Refusal = tl::unexpected<CommandLineError>;

Refusal refuse_usage(std::string message) {
  const bool has_message = !message.empty();
  return Refusal(CommandLineError{
      .message = std::move(message), .exit_status = 2, .names_help = has_message});
}

Refusal refuse(std::string message, int exit_status) {
  return Refusal(CommandLineError{
      .message = std::move(message), .exit_status = exit_status, .names_help = false});
}

// getopt(3)'s notation: letters whose option has a value are followed by ':'.
constexpr std::string_view letters =
    "36:ab:c:CD:ef:FGhHi:I:lL:m:n:o:O:p:P:qs:SU:vVwx:X:Z";

struct LongOption {
  std::string_view name;
  enum class Takes : std::uint8_t { Nothing, Value, OptionalValue } takes;
  /// What the command in the machine of --vm gets of it.
  enum class InGuest : std::uint8_t {
    Same,
    Nothing,
    PageSource
  } in_guest = InGuest::Same;
};

constexpr std::array long_options = {
    LongOption{"annotate", LongOption::Takes::Value},
    LongOption{"att", LongOption::Takes::Nothing},
    LongOption{"disas", LongOption::Takes::Value},
    LongOption{"help", LongOption::Takes::Nothing},
    LongOption{"html", LongOption::Takes::Value, LongOption::InGuest::PageSource},
    LongOption{"html-source", LongOption::Takes::Nothing},
    LongOption{"intel", LongOption::Takes::Nothing},
    LongOption{"output-descriptor", LongOption::Takes::Value},
    LongOption{"version", LongOption::Takes::Nothing},
    LongOption{"vm", LongOption::Takes::OptionalValue, LongOption::InGuest::Nothing},
    LongOption{"vm-file", LongOption::Takes::Value, LongOption::InGuest::Nothing},
};

// Options of dtrace(1) whose whole meaning is one of D's options.
struct Shorthand {
  char letter;
  std::string_view setting;
};
constexpr std::array shorthands = {
    Shorthand{'b', "bufsize"}, Shorthand{'C', "cpp"},
    Shorthand{'D', "define"},  Shorthand{'F', "flowindent"},
    Shorthand{'H', "cpphdrs"}, Shorthand{'I', "incdir"},
    Shorthand{'L', "libdir"},  Shorthand{'O', "oformat"},
    Shorthand{'q', "quiet"},   Shorthand{'S', "verbose"},
    Shorthand{'U', "undef"},   Shorthand{'w', "destructive"},
    Shorthand{'X', "stdc"},    Shorthand{'Z', "zdefs"}};

// Letters of options that this side of --vm sees to: where the output goes, and the C
// preprocessor, which the machine does not have, nor the files that are included.
bool is_for_host(char letter, std::string_view value) {
  return letter == 'o' || letter == 'C' ||
         (letter == 'x' && value.substr(0, value.find('=')) == "cpp");
}

std::optional<d::DescriptionField> last_field(char letter) {
  switch (letter) {
    case 'P':
      return d::DescriptionField::Provider;
    case 'm':
      return d::DescriptionField::Module;
    case 'f':
      return d::DescriptionField::Function;
    case 'n':
    case 'i':
      return d::DescriptionField::Name;
    default:
      return std::nullopt;
  }
}

// What a word without an option before it may have been meant for.
std::string instead_of_argument(const std::string& word) {
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(word, ignored);
  return fmt::format("did you mean {} '{}'?", is_file ? "-s" : "-n", word);
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
  Outcome apply(char letter, const std::string& value);
  Outcome apply_long(std::string_view name, const std::optional<std::string>& value);
  Outcome set_mode(char letter);
  Outcome set(std::string_view option, const std::string& given,
              std::optional<std::string_view> value);
  Outcome set_pair(const std::string& pair);
  Outcome add_process(const std::string& value);
  Outcome set_output_descriptor(const std::string& value);
  static Outcome check_data_model(char letter, const std::string& value);
  Outcome finish();
  // What the machine of --vm gets of an option.
  void keep_for_guest(char letter, const std::string& value);
  void keep_for_guest(const LongOption& option,
                      const std::optional<std::string>& value);
  // The next word, as the value of an option.
  std::optional<std::string> take_word();

  const std::vector<std::string>& words_;
  std::size_t next_ = 1;
  std::string modes_;  // the letters of -l, -V, -h, -G that were given
  CommandLine line_;
};

tl::expected<CommandLine, CommandLineError> Reader::read() {
  line_.path = words_.empty() ? "kinst" : words_.front();
  line_.command = line_.path.substr(line_.path.rfind('/') + 1);
  if (words_.size() < 2) {
    return refuse_usage("");
  }
  while (next_ < words_.size()) {
    const std::string& word = words_[next_++];
    if (word == "--") {
      line_.guest_words.push_back({.text = word, .program = {}});
      for (std::size_t at = next_; at < words_.size(); ++at) {
        line_.guest_words.push_back({.text = words_[at], .program = {}});
      }
      line_.arguments.insert(line_.arguments.end(),
                             words_.begin() + static_cast<std::ptrdiff_t>(next_),
                             words_.end());
      break;
    }
    if (word.size() < 2 || word.front() != '-') {
      line_.arguments.push_back(word);
      line_.guest_words.push_back({.text = word, .program = {}});
      continue;
    }
    KINST_CHECK(word[1] == '-' ? read_long(std::string_view(word).substr(2))
                               : read_letters(std::string_view(word).substr(1)));
  }
  KINST_CHECK(finish());
  return std::move(line_);
}

std::optional<std::string> Reader::take_word() {
  return next_ < words_.size() ? std::optional(words_[next_++]) : std::nullopt;
}

// "qn", or "nBEGIN": letters of options; the first that has a value takes the rest.
Reader::Outcome Reader::read_letters(std::string_view word) {
  while (!word.empty()) {
    const char letter = word.front();
    word.remove_prefix(1);
    const std::size_t at =
        letter == ':' ? std::string_view::npos : letters.find(letter);
    if (at == std::string_view::npos) {
      return refuse_usage(fmt::format("invalid option -- '{}'", letter));
    }
    const bool has_value =
        letter == '3' || (at + 1 < letters.size() && letters[at + 1] == ':');
    if (!has_value) {
      keep_for_guest(letter, "");
      KINST_CHECK(apply(letter, ""));
      continue;
    }
    const std::optional<std::string> value =
        word.empty() ? take_word() : std::optional(std::string(word));
    if (!value) {
      return refuse_usage(fmt::format("option requires an argument -- '{}'", letter));
    }
    keep_for_guest(letter, *value);
    return apply(letter, *value);
  }
  return {};
}

void Reader::keep_for_guest(char letter, const std::string& value) {
  if (is_for_host(letter, value)) {
    return;
  }
  if (letter == 's' || last_field(letter)) {
    line_.guest_words.push_back({.text = {}, .program = line_.programs.size()});
    return;
  }
  line_.guest_words.push_back(
      {.text = fmt::format("-{}{}", letter, value), .program = {}});
}

void Reader::keep_for_guest(const LongOption& option,
                            const std::optional<std::string>& value) {
  switch (option.in_guest) {
    case LongOption::InGuest::Nothing:
      return;
    case LongOption::InGuest::PageSource:
      line_.guest_words.push_back({.text = "--html-source", .program = {}});
      return;
    case LongOption::InGuest::Same:
      line_.guest_words.push_back(
          {.text = value ? fmt::format("--{}={}", option.name, *value)
                         : fmt::format("--{}", option.name),
           .program = {}});
      return;
  }
}

Reader::Outcome Reader::read_long(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  std::optional<std::string> value;
  if (equals != std::string_view::npos) {
    value = std::string(word.substr(equals + 1));
  }
  const auto* option = std::ranges::find(long_options, name, &LongOption::name);
  if (option == long_options.end()) {
    NearNames near(name);
    for (const LongOption& one : long_options) {
      near.offer(one.name);
    }
    return refuse_usage(
        fmt::format("unknown option --{}{}", name,
                    near.names().empty()
                        ? ""
                        : fmt::format(": did you mean --{}?", near.names().front())));
  }
  if (option->takes == LongOption::Takes::Nothing && value) {
    return refuse_usage(fmt::format("option --{} takes no value", name));
  }
  if (option->takes == LongOption::Takes::Value && !value) {
    value = take_word();
    if (!value) {
      return refuse_usage(fmt::format("option --{} requires an argument", name));
    }
  }
  keep_for_guest(*option, value);
  return apply_long(name, value);
}

Reader::Outcome Reader::apply(char letter, const std::string& value) {
  const auto* shorthand = std::ranges::find(shorthands, letter, &Shorthand::letter);
  if (shorthand != shorthands.end()) {
    const bool is_bare = value.empty();
    return set(
        shorthand->setting,
        is_bare ? fmt::format("-{}", letter) : fmt::format("-{} {}", letter, value),
        is_bare ? std::nullopt : std::optional<std::string_view>(value));
  }
  if (const std::optional<d::DescriptionField> field = last_field(letter)) {
    line_.programs.push_back({.is_file = false, .text = value, .last_field = *field});
    return {};
  }
  switch (letter) {
    case 's':
      line_.programs.push_back({.is_file = true, .text = value});
      return {};
    case 'e':
      line_.only_compiles = true;
      return {};
    case 'v':
      line_.is_verbose = true;
      return {};
    case 'o':
      line_.output_path = value;
      return {};
    case 'c':
      line_.target_commands.push_back(value);
      return {};
    case 'p':
      return add_process(value);
    case 'x':
      return set_pair(value);
    case '3':
    case '6':
      return check_data_model(letter, value);
    case 'a':
      return refuse("anonymous tracing (-a) does not exist on Linux", 1);
    default:
      return set_mode(letter);
  }
}

Reader::Outcome Reader::apply_long(std::string_view name,
                                   const std::optional<std::string>& value) {
  if (name == "vm") {
    line_.guest = GuestRequest{.image = value};
  } else if (name == "vm-file") {
    line_.guest_files.push_back(*value);
  } else if (name == "disas" || name == "annotate") {
    line_.mode = name == "disas" ? Mode::Disassemble : Mode::Annotate;
    line_.functions = *value;
    modes_ += 'd';
  } else if (name == "html") {
    line_.html_path = value;
  } else if (name == "output-descriptor") {
    return set_output_descriptor(*value);
  } else if (name == "html-source") {
    line_.prints_page_source = true;
  } else if (name == "att" || name == "intel") {
    line_.syntax = name == "att" ? isa::Syntax::Att : isa::Syntax::Intel;
  } else if (name == "help") {
    modes_ += '?';
  } else {
    return set_mode('V');
  }
  return {};
}

Reader::Outcome Reader::set_mode(char letter) {
  modes_ += letter;
  if (letter == 'l') {
    line_.mode = Mode::List;
    line_.settings.compilation.unmatched = compile::Unmatched::IsAllowed;
  } else if (letter == 'V') {
    line_.mode = Mode::Version;
  }
  return {};
}

// given: as the command line has it, for the message.
Reader::Outcome Reader::set(std::string_view option, const std::string& given,
                            std::optional<std::string_view> value) {
  const auto done =
      set_option(line_.settings, option, value, SettingMoment::CommandLine);
  if (!done) {
    return refuse(fmt::format("failed to set {}: {}", given, done.error().message), 1);
  }
  return {};
}

Reader::Outcome Reader::set_pair(const std::string& pair) {
  const std::size_t equals = pair.find('=');
  std::optional<std::string_view> value;
  if (equals != std::string::npos) {
    value = std::string_view(pair).substr(equals + 1);
  }
  return set(std::string_view(pair).substr(0, equals), fmt::format("-x {}", pair),
             value);
}

Reader::Outcome Reader::add_process(const std::string& value) {
  pid_t process = 0;
  const char* end = value.data() + value.size();
  const auto [stop, failure] = std::from_chars(value.data(), end, process);
  if (failure != std::errc() || stop != end || process <= 0) {
    return refuse(fmt::format("invalid pid: {}: -p takes a process's number", value),
                  1);
  }
  line_.processes.push_back(process);
  return {};
}

Reader::Outcome Reader::set_output_descriptor(const std::string& value) {
  int descriptor = -1;
  const char* end = value.data() + value.size();
  const auto [stop, failure] = std::from_chars(value.data(), end, descriptor);
  if (failure != std::errc() || stop != end || descriptor < 0) {
    return refuse(fmt::format("--output-descriptor takes a descriptor's number"), 1);
  }
  line_.output_descriptor = descriptor;
  return {};
}

// -32 and -64 once chose D's data model.
Reader::Outcome Reader::check_data_model(char letter, const std::string& value) {
  if (letter == '6' && value == "4") {
    return {};
  }
  if (letter == '3' && value == "2") {
    return refuse("-32: D's integers are those of this 64-bit kernel", 1);
  }
  return refuse_usage(fmt::format("invalid option -- '{}{}'", letter, value));
}

Reader::Outcome Reader::finish() {
  const bool wants_help = modes_.find('?') != std::string::npos ||
                          (modes_ == "h" && line_.programs.empty());
  if (wants_help) {
    line_.mode = Mode::Help;
    return {};
  }
  if (modes_.size() > 1) {
    return refuse(
        "only one of the options -G, -h, -l, -V, --disas and --annotate can be "
        "given",
        2);
  }
  if (modes_ == "h" || modes_ == "G") {
    return refuse(fmt::format("-{}: headers and objects for a program's own probes are "
                              "not made here; systemtap's dtrace(1) makes them",
                              modes_),
                  1);
  }
  if (line_.html_path && line_.mode != Mode::Annotate) {
    return refuse("--html is a page of what --annotate counts", 2);
  }
  if (!line_.guest_files.empty() && !line_.guest) {
    return refuse("--vm-file is for the virtual machine of --vm", 2);
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

std::string version(std::string_view command) {
  return fmt::format("{}: kinst {}, D 2.0\n", command, KINST_VERSION);
}

std::string usage(std::string_view command) {
  return fmt::format(
      R"(Usage: {0} [options] [-n|-f|-m|-P|-i DESCRIPTION[/PREDICATE/]{{ACTIONS}}]... [ARG...]
       {0} [options] -s SCRIPT [ARG...]      ARGs are $1, $2, ... in the program
  -n [[[PROVIDER:]MODULE:]FUNCTION:]NAME   -f, -m, -P: up to that field; -i ID
     kinst::FUNCTION:OFFSET is an instruction; without OFFSET every instruction
  -s FILE     run a script                 -l         list matching probes, or a TYPE
  -q          print what is traced only    -o FILE    append the output to FILE
  -c COMMAND  run it and end with it       -p PID     know its symbols, end with it
  -w          permit destructive actions   -Z         permit what matches no probe
  -x OPT[=V]  set an option of D           -b SIZE    buffer for records
  -F          indent entries and returns   -O json    one JSON object a line
  -e          compile only                 -v         tell more; with -l, arguments
  -S          print the code               -V         print the version
  -C          run cpp on scripts; for it:  -D NAME[=V] -U NAME -I PATH -H -X a|c|s|t
  -L PATH     search D libraries there     -h, --help print this
  --vm[=KERNEL]          run all of this in a throwaway virtual machine
  --vm-file PATH         with this file or folder in it
  --disas FUNCTION,...   print functions with the offsets of their instructions
  --annotate FUNCTION    count a function's instructions; --html FILE for a page
  --att, --intel         how instructions are written
Example: {0} -n 'kinst::vfs_read: {{ @[probename] = count(); }} tick-5s {{ exit(0); }}'
)",
      command);
}

}  // namespace kinst::command
