// How D's options are set.
#include "command/options/set_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

#include "base/text/near_names.h"
#include "command/options/setting_table.h"
#include "command/options/setting_values.h"

namespace kinst::command {
namespace setting {
namespace {

using Value = std::optional<std::string_view>;

const Row* find(std::string_view name) {
  const std::span<const Row> all = rows();
  const auto row = std::ranges::find(all, name, &Row::name);
  return row == all.end() ? nullptr : &*row;
}

// Sets what was read, if anything was.
template <typename Kind, typename Read>
bool set_if_read(const Kind& kind, Settings& settings,
                 const std::optional<Read>& read) {
  if (read) {
    kind.set(settings, *read);
  }
  return read.has_value();
}

// Whether the value is one that the option can have; it is set then.
struct Setter {
  Settings& settings;
  Value value;

  bool operator()(const Flag& option) const {
    option.set(settings);
    return true;
  }
  bool operator()(const Switch& option) const {
    return set_if_read(option, settings,
                       value ? read_switch(*value) : std::optional<bool>(true));
  }
  bool operator()(const Number& option) const {
    const auto number = value ? read_number(*value) : std::nullopt;
    return number && *number <= option.most && set_if_read(option, settings, number);
  }
  bool operator()(const Size& option) const {
    const auto size = value ? read_size(*value) : std::nullopt;
    return size && *size >= option.least && *size <= option.most &&
           set_if_read(option, settings, size);
  }
  bool operator()(const Rate& option) const {
    return set_if_read(option, settings, value ? read_rate(*value) : std::nullopt);
  }
  bool operator()(const Choice& option) const {
    return value && option.set(settings, *value);
  }
  bool operator()(const Addition& option) const {
    if (value) {
      option.list(settings).push_back(std::string(option.prefix) + std::string(*value));
    }
    return value.has_value();
  }
  bool operator()(const Text& option) const {
    if (value) {
      option.text(settings) = *value;
    }
    return value.has_value();
  }
  bool operator()(const Custom& option) const { return option.set(settings, value); }
  bool operator()(const Refused& /*option*/) const { return false; }
};

// What a value of that kind may be.
struct Expected {
  std::string operator()(const Flag& /*option*/) const { return "no value"; }
  std::string operator()(const Switch& /*option*/) const { return "on or off"; }
  std::string operator()(const Number& option) const {
    return fmt::format("a number up to {}", option.most);
  }
  std::string operator()(const Size& option) const {
    const std::string most =
        option.most == UINT64_MAX ? "or more" : fmt::format("to {}", option.most);
    return fmt::format("a number of bytes, {} {}; k, m, g and t behind it are units",
                       option.least, most);
  }
  std::string operator()(const Rate& /*option*/) const { return std::string(a_rate); }
  std::string operator()(const Choice& option) const { return option.names(); }
  std::string operator()(const Addition& /*option*/) const { return "a value"; }
  std::string operator()(const Text& /*option*/) const { return "a value"; }
  std::string operator()(const Custom& option) const {
    return std::string(option.takes);
  }
  std::string operator()(const Refused& /*option*/) const { return "nothing"; }
};

}  // namespace
}  // namespace setting

namespace {

// Terminals that show no characters but ASCII's, as DTrace has them.
bool is_primitive_terminal(std::string_view name) {
  return name == "dumb" || name == "sun" || name == "sun-color";
}

struct Variable {
  std::string_view name;
  std::string_view value;
};

Variable split(std::string_view variable) {
  const std::size_t equals = std::min(variable.find('='), variable.size());
  return {.name = variable.substr(0, equals),
          .value = variable.substr(std::min(equals + 1, variable.size()))};
}

// What options may change.
void suit_surroundings(consumer::OutputOptions& output,
                       const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    const auto [name, value] = split(variable);
    if (name == "TERM") {
      output.drawing.is_ascii = is_primitive_terminal(value);
    } else if (name == "_DTRACE_TESTING") {
      // The public conformance suite asks for output that does not vary.
      output.hides_cpu_and_id = true;
    }
  }
}

constexpr std::string_view option_prefix = "DTRACE_OPT_";

// The name of the option that DTRACE_OPT_BUFSIZE sets; nothing for other variables.
std::optional<std::string> option_of_variable(std::string_view name) {
  return name.starts_with(option_prefix)
             ? std::optional(lower(name.substr(option_prefix.size())))
             : std::nullopt;
}

}  // namespace

Result<void> set_option(Settings& settings, std::string_view name,
                        std::optional<std::string_view> value, SettingMoment moment) {
  const setting::Row* option = setting::find(name);
  if (option == nullptr) {
    NearNames near(name);
    for (const setting::Row& one : setting::rows()) {
      near.offer(one.name);
    }
    const std::string question = near.question();
    return error("invalid option name{}{}", question.empty() ? "" : ": ", question);
  }
  if (const auto* refused = std::get_if<setting::Refused>(&option->kind)) {
    return error("the option means nothing here: {}", refused->reason);
  }
  if (moment > option->until) {
    return error("{}", moment == SettingMoment::Running
                           ? "the option cannot be set while tracing"
                           : "the option cannot be set within a D program");
  }
  if (!std::visit(setting::Setter{settings, value}, option->kind)) {
    return error("invalid value for the option: it takes {}",
                 std::visit(setting::Expected{}, option->kind));
  }
  return {};
}

Result<void> set_from_environment(Settings& settings,
                                  const std::vector<std::string>& environment) {
  suit_surroundings(settings.output, environment);
  for (const std::string& variable : environment) {
    const auto [name, value] = split(variable);
    const std::optional<std::string> option = option_of_variable(name);
    // The environment is set for other commands of this kind as well, whose options
    // kinst need not have.
    if (!option || setting::find(*option) == nullptr) {
      continue;
    }
    const auto set = set_option(settings, *option, value, SettingMoment::CommandLine);
    if (!set) {
      return tl::unexpected(in_context(variable, set.error()));
    }
  }
  return {};
}

bool is_for_guest(std::string_view variable) {
  const std::string_view name = split(variable).name;
  const std::optional<std::string> option = option_of_variable(name);
  return option ? setting_in_guest(*option) != SettingInGuest::Done
                : name == "TERM" || name == "_DTRACE_TESTING";
}

std::optional<SettingInGuest> setting_in_guest(std::string_view name) {
  const setting::Row* row = setting::find(name);
  return row == nullptr ? std::nullopt : std::optional(row->in_guest);
}

std::vector<std::string> folders_for_guest(const Settings& settings) {
  Settings copy = settings;  // the table's functions give places, not values
  std::vector<std::string> folders;
  for (const setting::Row& row : setting::rows()) {
    if (row.in_guest != SettingInGuest::FolderCarried) {
      continue;
    }
    if (const auto* text = std::get_if<setting::Text>(&row.kind)) {
      folders.push_back(text->text(copy));
    } else if (const auto* list = std::get_if<setting::Addition>(&row.kind)) {
      std::ranges::copy(list->list(copy), std::back_inserter(folders));
    }
  }
  std::erase(folders, "");
  return folders;
}

}  // namespace kinst::command
