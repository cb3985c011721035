#include "bpf/attach/kprobe_group.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace kinst::bpf {
namespace {

constexpr std::string_view prefix = "kinst_";

/// When a process started, in clock ticks since boot; nothing if there is none.
std::optional<std::uint64_t> start_time(std::uint64_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  // The second field is the command's name in parentheses and may hold anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  constexpr int first_field = 3;
  constexpr int start_time_field = 22;
  for (int i = first_field; i <= start_time_field; ++i) {
    fields >> field;
  }
  std::uint64_t ticks = 0;
  const auto parsed = std::from_chars(field.data(), field.data() + field.size(), ticks);
  return parsed.ec == std::errc() ? std::optional(ticks) : std::nullopt;
}

/// Cuts "NUMBER" or "NUMBER_" off the front.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (text.starts_with('_')) {
    text.remove_prefix(1);
  }
  return value;
}

}  // namespace

Result<GroupOwner> this_process() {
  struct stat about {};
  if (stat("/proc/self/ns/pid", &about) != 0) {
    return system_error("read /proc/self/ns/pid", errno);
  }
  GroupOwner owner{.pid_namespace = about.st_ino,
                   .process = static_cast<std::uint64_t>(getpid())};
  const auto ticks = start_time(owner.process);
  if (!ticks) {
    return error("cannot read /proc/self/stat");
  }
  owner.start_time = *ticks;
  return owner;
}

std::string group_name(const GroupOwner& owner) {
  return fmt::format("{}{}_{}_{}", prefix, owner.pid_namespace, owner.process,
                     owner.start_time);
}

std::optional<GroupOwner> parse_group_name(std::string_view name) {
  if (!name.starts_with(prefix)) {
    return std::nullopt;
  }
  name.remove_prefix(prefix.size());
  const auto pid_namespace = take_number(name);
  const auto process = take_number(name);
  const auto ticks = take_number(name);
  if (!pid_namespace || !process || !ticks || !name.empty()) {
    return std::nullopt;
  }
  return GroupOwner{*pid_namespace, *process, *ticks};
}

int remove_event(int commands, const std::string& path) {
  const std::string command = fmt::format("-:{}\n", path);
  return write(commands, command.data(), command.size()) < 0 ? errno : 0;
}

Result<void> remove_group(const Tracefs& tracefs, const std::string& group) {
  const FileDescriptor commands = KINST_TRY(tracefs.open_commands("kprobe_events"));
  Result<void> result;
  for (const std::string& event : tracefs.list("events/" + group)) {
    if (event == "enable" || event == "filter") {
      continue;  // the group's own switches
    }
    const std::string path = fmt::format("{}/{}", group, event);
    const int problem = remove_event(commands.get(), path);
    if (problem != 0 && result) {
      result = system_error("remove probe event " + path, problem);
    }
  }
  return result;
}

void remove_abandoned_groups(const Tracefs& tracefs) {
  const auto self = this_process();
  for (const std::string& group : tracefs.list("events")) {
    const auto owner = parse_group_name(group);
    if (!self || !owner || owner->pid_namespace != self->pid_namespace ||
        start_time(owner->process) == owner->start_time) {
      continue;
    }
    static_cast<void>(remove_group(tracefs, group));
  }
}

}  // namespace kinst::bpf
