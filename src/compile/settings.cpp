// The table of D's options and how their values are read.
#include "compile/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <variant>

#include "base/text/near_names.h"
#include "base/text/words.h"
#include "runtime/abi.h"

namespace kinst::compile {
namespace {

using Value = std::optional<std::string_view>;

// ---------------------------------------------------------------- kinds of options

/// No value: set. As dtrace(1) has it for options of compilation, a value is ignored.
struct Flag {
  bool Settings::*member;
  bool meaning = true;
};
/// yes/no, on/off, or a number.
struct Switch {
  bool Settings::*member;
};
struct Number {
  std::uint64_t Settings::*member;
  std::uint64_t most = UINT32_MAX;
};
struct OptionalNumber {
  std::optional<std::uint64_t> Settings::*member;
};
/// Bytes with k, m, g, t.
struct Size {
  std::uint64_t Settings::*member;
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
};
/// A time or a frequency.
struct Rate {
  std::chrono::nanoseconds Settings::*member;
};
/// Text that is added to a list.
struct Addition {
  std::vector<std::string> Settings::*member;
  std::string_view prefix;
};
struct Text {
  std::string Settings::*member;
};
/// A value with rules of its own; returns whether it has been understood.
struct Custom {
  bool (*set)(Settings& settings, Value value);
  std::string_view takes;  // for the message if not
};
/// Known, but without a meaning here.
struct Refused {
  std::string_view reason;
};

/// When an option may be set.
enum class Until : std::uint8_t { CommandLine, Pragma, Running };

struct Option {
  std::string_view name;
  Until until;
  std::variant<Flag, Switch, Number, OptionalNumber, Size, Rate, Addition, Text, Custom,
               Refused>
      kind;
};

// ---------------------------------------------------------------- values

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

struct NumberPrefix {
  std::uint64_t value = 0;
  std::string_view rest;
};

// A number as C writes it, and what stands behind it.
std::optional<NumberPrefix> read_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  NumberPrefix number;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number.value, base);
  if (failure != std::errc()) {
    return std::nullopt;
  }
  number.rest = std::string_view(stop, static_cast<std::size_t>(end - stop));
  return number;
}

std::optional<std::uint64_t> read_size(std::string_view text) {
  const std::optional<NumberPrefix> number = read_number(text);
  if (!number || number->rest.size() > 1) {
    return std::nullopt;
  }
  unsigned shift = 0;
  if (!number->rest.empty()) {
    const std::size_t unit = std::string_view("kmgt").find(lower(number->rest));
    if (unit == std::string_view::npos) {
      return std::nullopt;
    }
    shift = 10U * static_cast<unsigned>(unit + 1);
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(number->value, std::uint64_t{1} << shift, &bytes) ||
      bytes > INT64_MAX) {
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::chrono::nanoseconds> read_rate(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::uint64_t nanoseconds;
  };
  constexpr std::uint64_t second = 1'000'000'000;
  constexpr std::array units = {Unit{"", 1},
                                Unit{"ns", 1},
                                Unit{"nsec", 1},
                                Unit{"us", 1000},
                                Unit{"usec", 1000},
                                Unit{"ms", 1'000'000},
                                Unit{"msec", 1'000'000},
                                Unit{"s", second},
                                Unit{"sec", second},
                                Unit{"m", 60 * second},
                                Unit{"min", 60 * second},
                                Unit{"h", 3600 * second},
                                Unit{"hour", 3600 * second},
                                Unit{"d", 86400 * second},
                                Unit{"day", 86400 * second},
                                Unit{"hz", 0}};
  const std::optional<NumberPrefix> number = read_number(text);
  if (!number) {
    return std::nullopt;
  }
  const auto* unit = std::ranges::find(units, lower(number->rest), &Unit::name);
  if (unit == units.end()) {
    return std::nullopt;
  }
  if (unit->nanoseconds == 0) {
    const std::uint64_t frequency = number->value;
    return std::chrono::nanoseconds(frequency == 0 ? 0 : second / frequency);
  }
  std::int64_t nanoseconds = 0;
  if (__builtin_mul_overflow(number->value, unit->nanoseconds, &nanoseconds)) {
    return std::nullopt;
  }
  return std::chrono::nanoseconds(nanoseconds);
}

// yes, on, … are true and their opposites false. A number sets, as in DTrace, except 0.
std::optional<bool> read_switch(std::string_view text) {
  struct Word {
    std::string_view text;
    bool value;
  };
  constexpr std::array words = {
      Word{"yes", true},      Word{"no", false},     Word{"enable", true},
      Word{"disable", false}, Word{"enabled", true}, Word{"disabled", false},
      Word{"true", true},     Word{"false", false},  Word{"on", true},
      Word{"off", false},     Word{"set", true},     Word{"unset", false},
      Word{"", false}};
  const auto* word = std::ranges::find(words, lower(text), &Word::text);
  if (word != words.end()) {
    return word->value;
  }
  const std::optional<NumberPrefix> number = read_number(text);
  return number && number->rest.empty() ? std::optional<bool>(number->value != 0)
                                        : std::nullopt;
}

// ---------------------------------------------------------------- custom values

bool set_buffer_policy(Settings& settings, Value value) {
  if (value == "switch") {
    settings.buffer_policy = BufferPolicy::Switch;
  } else if (value == "fill") {
    settings.buffer_policy = BufferPolicy::Fill;
  } else if (value == "ring") {
    settings.buffer_policy = BufferPolicy::Ring;
  } else {
    return false;
  }
  return true;
}

bool set_buffer_resize(Settings& settings, Value value) {
  settings.resizes_buffer = value == "auto";
  return value == "auto" || value == "manual";
}

bool set_encoding(Settings& settings, Value value) {
  settings.draws_in_ascii = value == "ascii";
  return value == "ascii" || value == "utf8";
}

bool set_variable(Settings& settings, Value value) {
  if (!value || value->empty() || value->front() == '=') {
    return false;
  }
  const bool has_value = value->find('=') != std::string_view::npos;
  settings.target_environment.push_back(std::string(*value) + (has_value ? "" : "="));
  return true;
}

bool unset_variable(Settings& settings, Value value) {
  if (!value || value->empty() || value->find('=') != std::string_view::npos) {
    return false;
  }
  settings.target_environment.emplace_back(*value);
  return true;
}

bool check_number(Settings& /*settings*/, Value value) {
  const auto number = value ? read_number(*value) : std::nullopt;
  return number && number->rest.empty();
}

bool set_evaluation_time(Settings& settings, Value value) {
  if (value == "exec") {
    settings.evaluation_time = EvaluationTime::Exec;
  } else if (value == "preinit") {
    settings.evaluation_time = EvaluationTime::Preinit;
  } else if (value == "postinit") {
    settings.evaluation_time = EvaluationTime::Postinit;
  } else if (value == "main") {
    settings.evaluation_time = EvaluationTime::Main;
  } else {
    return false;
  }
  return true;
}

bool set_conformance(Settings& settings, Value value) {
  if (!value || value->size() != 1 ||
      std::string_view("acst").find(value->front()) == std::string_view::npos) {
    return false;
  }
  settings.c_conformance = value->front();
  return true;
}

bool set_output_format(Settings& settings, Value value) {
  settings.is_json = value == "json";
  return value == "json" || value == "text";
}

bool set_function_way(Settings& settings, Value value) {
  if (value == "fentry") {
    settings.function_way = FunctionWay::Fentry;
  } else if (value == "kprobe.multi") {
    settings.function_way = FunctionWay::KprobeMulti;
  } else if (value == "breakpoint") {
    settings.function_way = FunctionWay::Breakpoint;
  } else if (value == "kprobe") {
    settings.function_way = FunctionWay::Kprobe;
  } else {
    settings.function_way = FunctionWay::Fastest;
    return value == "fastest";
  }
  return true;
}

// The versions of the D language that scripts may ask for; all mean the same here.
bool check_version(Settings& /*settings*/, Value value) {
  constexpr std::array<std::string_view, 15> versions = {
      "1.0", "1.1", "1.2",   "1.2.1", "1.2.2", "1.3",   "1.4", "1.4.1",
      "1.5", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "2.0"};
  return value && std::ranges::find(versions, *value) != versions.end();
}

bool add_preprocessor_arguments(Settings& settings, Value value) {
  auto words = split_words(value.value_or(""));
  if (!words) {
    return false;
  }
  std::ranges::move(*words, std::back_inserter(settings.preprocessor_arguments));
  return value.has_value();
}

bool check_rate(Settings& /*settings*/, Value value) {
  return value && read_rate(*value).has_value();
}

bool accept_as_is(Settings& /*settings*/, Value /*value*/) {
  return true;
}

// ---------------------------------------------------------------- the table

constexpr std::string_view a_rate = "a time, as in 10ms, or a frequency, as in 5hz";
constexpr std::string_view of_user_objects =
    "it is for making objects with probes, which is not done here";
constexpr std::string_view of_kernel_types = "the kernel's types come from its BTF";
constexpr std::string_view of_bpf_debugging =
    "it is for another compiler's inside; -S shows this one's code";

// What maps and buffers may take. The kernel would take more for them than most
// machines have, and some only when it is used: too late for an error.
constexpr std::uint64_t most_map_bytes = std::uint64_t{1} << 30U;
// A number of speculations takes 8 bytes each.
constexpr std::uint64_t most_speculations = most_map_bytes / 8;
constexpr std::uint64_t most_scratch_bytes = KINST_SCRATCH_BYTES;

// With a string's zero the runtime's largest.
constexpr std::uint64_t most_string_bytes = KINST_STRING_MAX - 1;

const std::array options = {
    // Of compilation.
    Option{"argref", Until::Pragma, Flag{&Settings::allows_unused_arguments}},
    Option{"defaultargs", Until::Pragma, Flag{&Settings::default_arguments}},
    Option{"empty", Until::Pragma, Flag{&Settings::allows_empty_programs}},
    Option{"errtags", Until::Pragma, Flag{&Settings::shows_error_tags}},
    Option{"zdefs", Until::Pragma, Flag{&Settings::allows_unmatched}},
    Option{"pspec", Until::Pragma, Flag{&Settings::prefers_descriptions}},
    // In a program it comes too late, as in DTrace: the libraries have been read.
    Option{"nolibs", Until::Pragma, Flag{&Settings::loads_libraries, false}},
    Option{"syslibdir", Until::CommandLine, Text{&Settings::system_library_folder}},
    Option{"libdir", Until::CommandLine, Addition{&Settings::library_folders, ""}},
    Option{"verbose", Until::Pragma, Flag{&Settings::shows_code}},
    Option{"evaltime", Until::Pragma,
           Custom{set_evaluation_time, "exec, preinit, postinit or main"}},
    Option{"version", Until::Pragma,
           Custom{check_version, "a version of D, 1.0 to 2.0"}},
    // Symbols that are not known are errors; that is how they behave at first.
    Option{"kdefs", Until::Pragma, Custom{accept_as_is, ""}},
    Option{"udefs", Until::Pragma, Custom{accept_as_is, ""}},
    Option{"knodefs", Until::Pragma, Refused{of_user_objects}},
    Option{"unodefs", Until::Pragma, Refused{of_user_objects}},
    Option{"amin", Until::Pragma, Refused{"kinst keeps no stability attributes"}},
    Option{"ctfpath", Until::CommandLine, Refused{of_kernel_types}},
    Option{"modpath", Until::CommandLine, Refused{of_kernel_types}},
    Option{"ctypes", Until::CommandLine, Refused{of_kernel_types}},
    Option{"dtypes", Until::CommandLine, Refused{of_kernel_types}},
    Option{"late", Until::Pragma, Refused{"translators are applied as they are used"}},
    Option{"linkmode", Until::CommandLine, Refused{of_user_objects}},
    Option{"linktype", Until::CommandLine, Refused{of_user_objects}},
    Option{"ldpath", Until::CommandLine, Refused{of_user_objects}},
    Option{"strip", Until::CommandLine, Refused{of_user_objects}},
    Option{"lazyload", Until::CommandLine, Refused{of_user_objects}},
    Option{"core", Until::CommandLine, Refused{"kinst dumps no core of itself"}},
    Option{"debug", Until::CommandLine, Refused{of_bpf_debugging}},
    Option{"disasm", Until::CommandLine, Refused{of_bpf_debugging}},
    Option{"tree", Until::CommandLine, Refused{of_bpf_debugging}},
    Option{"iregs", Until::CommandLine, Refused{of_bpf_debugging}},
    Option{"tregs", Until::CommandLine, Refused{of_bpf_debugging}},
    // Of the C preprocessor.
    Option{"cpp", Until::CommandLine, Flag{&Settings::runs_preprocessor}},
    Option{"cpphdrs", Until::CommandLine, Flag{&Settings::shows_included_files}},
    Option{"cpppath", Until::CommandLine, Text{&Settings::preprocessor}},
    Option{"cppargs", Until::CommandLine,
           Custom{add_preprocessor_arguments, "cpp's arguments"}},
    Option{"define", Until::CommandLine,
           Addition{&Settings::preprocessor_arguments, "-D"}},
    Option{"undef", Until::CommandLine,
           Addition{&Settings::preprocessor_arguments, "-U"}},
    Option{"incdir", Until::CommandLine,
           Addition{&Settings::preprocessor_arguments, "-I"}},
    Option{"stdc", Until::CommandLine, Custom{set_conformance, "a, c, s or t"}},
    // Of a run.
    Option{"destructive", Until::Pragma, Switch{&Settings::destructive}},
    Option{"bufsize", Until::Pragma, Size{&Settings::buffer_bytes, 1}},
    Option{"bufpolicy", Until::Pragma,
           Custom{set_buffer_policy, "switch, fill or ring"}},
    Option{"bufresize", Until::Pragma, Custom{set_buffer_resize, "auto or manual"}},
    Option{"aggsize", Until::Pragma,
           Size{&Settings::aggregation_bytes, 1, most_map_bytes}},
    Option{"dynvarsize", Until::Pragma,
           Size{&Settings::dynamic_variable_bytes, 0, most_map_bytes}},
    Option{"strsize", Until::Pragma,
           Size{&Settings::string_bytes, 2, most_string_bytes}},
    Option{"scratchsize", Until::Pragma,
           Size{&Settings::scratch_bytes, 0, most_scratch_bytes}},
    Option{"nspec", Until::Pragma, Number{&Settings::speculations, most_speculations}},
    Option{"specsize", Until::Pragma,
           Size{&Settings::speculation_bytes, 0, most_map_bytes}},
    Option{"stackframes", Until::Pragma, Number{&Settings::stack_frames}},
    Option{"ustackframes", Until::Pragma, Number{&Settings::user_stack_frames}},
    Option{"jstackframes", Until::Pragma, Number{&Settings::java_stack_frames}},
    Option{"jstackstrsize", Until::Pragma,
           Size{&Settings::java_stack_string_bytes, 0, most_map_bytes}},
    Option{"maxframes", Until::Pragma, Number{&Settings::maximum_frames}},
    Option{"statusrate", Until::Pragma, Rate{&Settings::status_interval}},
    // What is cleaned up is free at once.
    Option{"cleanrate", Until::Pragma, Custom{check_rate, a_rate}},
    Option{"cpu", Until::Pragma, OptionalNumber{&Settings::cpu}},
    // Of processes no more is kept than what is asked for.
    Option{"pgmax", Until::Pragma, Custom{check_number, "a number"}},
    Option{"setenv", Until::CommandLine, Custom{set_variable, "NAME=VALUE"}},
    Option{"unsetenv", Until::CommandLine, Custom{unset_variable, "a variable's name"}},
    // BPF's memory is no locked memory since Linux 5.11.
    Option{"lockmem", Until::CommandLine, Custom{accept_as_is, ""}},
    Option{"bpflog", Until::Pragma, Switch{&Settings::shows_verifier_log}},
    Option{"bpflogsize", Until::Pragma,
           Size{&Settings::verifier_log_bytes, 1, std::uint64_t{1} << 30U}},
    Option{"noresolve", Until::Pragma, Switch{&Settings::leaves_addresses}},
    Option{"grabanon", Until::Pragma,
           Refused{"there is no anonymous tracing on Linux"}},
    Option{"pcapsize", Until::Pragma, Refused{"packets are not captured"}},
    // Records of all CPUs are printed in the order of their time anyhow.
    Option{"temporal", Until::Pragma, Custom{accept_as_is, ""}},
    Option{"aggpercpu", Until::Pragma,
           Refused{"values are not printed for each CPU; make it a key: @[cpu]"}},
    // kinst's own.
    Option{"maxprobes", Until::Pragma, Number{&Settings::most_probes}},
    Option{"expedite", Until::Pragma, Switch{&Settings::expedites}},
    // Of the output.
    Option{"quiet", Until::Running, Switch{&Settings::quiet}},
    Option{"flowindent", Until::Running, Switch{&Settings::flow_indent}},
    Option{"rawbytes", Until::Running, Switch{&Settings::raw_bytes}},
    Option{"droptags", Until::Running, Flag{&Settings::drop_tags}},
    Option{"stackindent", Until::Running, Number{&Settings::stack_indent, 1024}},
    Option{"printsize", Until::Running, Size{&Settings::print_bytes, 1, 65536}},
    Option{"aggsortkey", Until::Running, Switch{&Settings::sorts_by_key}},
    Option{"aggsortkeypos", Until::Running, Number{&Settings::sort_key_position}},
    Option{"aggsortpos", Until::Running, Number{&Settings::sort_position}},
    Option{"aggsortrev", Until::Running, Switch{&Settings::sorts_reversed}},
    Option{"aggpack", Until::Running, Switch{&Settings::packs_histograms}},
    Option{"aggzoom", Until::Running, Switch{&Settings::zooms_histograms}},
    Option{"agghist", Until::Running, Switch{&Settings::heads_histograms}},
    Option{"encoding", Until::Pragma, Custom{set_encoding, "ascii or utf8"}},
    Option{"fbt", Until::Pragma,
           Custom{set_function_way,
                  "fentry, kprobe.multi, breakpoint, kprobe or fastest"}},
    Option{"oformat", Until::Pragma, Custom{set_output_format, "text or json"}},
    Option{"switchrate", Until::Running, Rate{&Settings::switch_interval}},
    Option{"aggrate", Until::Running, Rate{&Settings::aggregation_interval}},
};

// ---------------------------------------------------------------- setting

struct Setter {
  Settings& settings;
  Value value;

  bool operator()(const Flag& flag) const {
    settings.*flag.member = flag.meaning;
    return true;
  }
  bool operator()(const Switch& option) const {
    return store(option.member,
                 value ? read_switch(*value) : std::optional<bool>(true));
  }
  bool operator()(const Number& option) const {
    const std::optional<NumberPrefix> number = whole_number();
    return number && number->value <= option.most &&
           store(option.member, std::optional(number->value));
  }
  bool operator()(const OptionalNumber& option) const {
    const std::optional<NumberPrefix> number = whole_number();
    return number && store(option.member, std::optional(number->value));
  }
  bool operator()(const Size& option) const {
    const std::optional<std::uint64_t> size = value ? read_size(*value) : std::nullopt;
    return size && *size >= option.least && *size <= option.most &&
           store(option.member, size);
  }
  bool operator()(const Rate& option) const {
    return store(option.member, value ? read_rate(*value) : std::nullopt);
  }
  bool operator()(const Addition& option) const {
    if (value) {
      (settings.*option.member)
          .push_back(std::string(option.prefix) + std::string(*value));
    }
    return value.has_value();
  }
  bool operator()(const Text& option) const { return store(option.member, value); }
  bool operator()(const Custom& option) const { return option.set(settings, value); }
  bool operator()(const Refused& /*option*/) const { return false; }

  [[nodiscard]] std::optional<NumberPrefix> whole_number() const {
    const std::optional<NumberPrefix> number =
        value ? read_number(*value) : std::nullopt;
    return number && number->rest.empty() ? number : std::nullopt;
  }

  template <typename Member, typename T>
  bool store(Member Settings::*member, const std::optional<T>& read) const {
    if (read) {
      settings.*member = *read;
    }
    return read.has_value();
  }
};

// What a value of that kind may be.
struct Expected {
  std::string operator()(const Flag& /*option*/) const { return "no value"; }
  std::string operator()(const Switch& /*option*/) const { return "on or off"; }
  std::string operator()(const Number& option) const {
    return fmt::format("a number up to {}", option.most);
  }
  std::string operator()(const OptionalNumber& /*option*/) const { return "a number"; }
  std::string operator()(const Size& option) const {
    const std::string most =
        option.most == UINT64_MAX ? "or more" : fmt::format("to {}", option.most);
    return fmt::format("a number of bytes, {} {}; k, m, g and t behind it are units",
                       option.least, most);
  }
  std::string operator()(const Rate& /*option*/) const { return std::string(a_rate); }
  std::string operator()(const Addition& /*option*/) const { return "a value"; }
  std::string operator()(const Text& /*option*/) const { return "a value"; }
  std::string operator()(const Custom& option) const {
    return std::string(option.takes);
  }
  std::string operator()(const Refused& /*option*/) const { return "nothing"; }
};

bool is_too_late(Until until, SettingMoment moment) {
  switch (moment) {
    case SettingMoment::CommandLine:
      return false;
    case SettingMoment::Pragma:
      return until == Until::CommandLine;
    case SettingMoment::Running:
      return until != Until::Running;
  }
  return true;
}

}  // namespace

Result<void> set_option(Settings& settings, std::string_view name, Value value,
                        SettingMoment moment) {
  const auto* option = std::ranges::find(options, name, &Option::name);
  if (option == options.end()) {
    NearNames near(name);
    for (const Option& one : options) {
      near.offer(one.name);
    }
    const std::string question = near.question();
    return error("invalid option name{}{}", question.empty() ? "" : ": ", question);
  }
  if (const auto* refused = std::get_if<Refused>(&option->kind)) {
    return error("the option means nothing here: {}", refused->reason);
  }
  if (is_too_late(option->until, moment)) {
    return error("{}", moment == SettingMoment::Running
                           ? "the option cannot be set while tracing"
                           : "the option cannot be set within a D program");
  }
  if (!std::visit(Setter{settings, value}, option->kind)) {
    return error("invalid value for the option: it takes {}",
                 std::visit(Expected{}, option->kind));
  }
  return {};
}

Result<void> set_from_environment(Settings& settings,
                                  const std::vector<std::string>& environment) {
  constexpr std::string_view prefix = "DTRACE_OPT_";
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    if (!variable.starts_with(prefix) || equals == std::string::npos) {
      continue;
    }
    const std::string name =
        lower(std::string_view(variable).substr(0, equals).substr(prefix.size()));
    // The environment is set for other commands of this kind as well, whose options
    // kinst need not have.
    if (std::ranges::find(options, name, &Option::name) == options.end()) {
      continue;
    }
    const auto set =
        set_option(settings, name, std::string_view(variable).substr(equals + 1),
                   SettingMoment::CommandLine);
    if (!set) {
      return tl::unexpected(in_context(variable, set.error()));
    }
  }
  return {};
}

}  // namespace kinst::compile
