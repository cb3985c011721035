// Every system call passes the two tracepoints sys_enter and sys_exit, so one program
// at each serves all probes; it tells them apart by the call's number. The kernel's
// tracepoints for single calls (events/syscalls) hang on the same two and cost more,
// but they say which calls there are and what their arguments are.
#include "provider/syscall.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "kernel/code/tracepoints.h"
#include "kernel/symbols/symbols.h"

namespace kinst::provider {
namespace {

constexpr std::string_view entry_prefix = "sys_enter_";
constexpr const char* tracepoint_system = "syscalls";

// Without the permission to look, all calls of the machine are taken to be there.
std::vector<std::string> traced_calls() {
  std::vector<std::string> names;
  const auto tracepoints = kernel::list_tracepoints();
  if (!tracepoints) {
    return names;
  }
  for (const kernel::TracepointName& one : *tracepoints) {
    if (one.system == tracepoint_system && one.name.starts_with(entry_prefix)) {
      names.push_back(one.name.substr(entry_prefix.size()));
    }
  }
  std::ranges::sort(names);
  return names;
}

bool covers_edge(const d::Description& description) {
  return description.name.empty() || glob_matches(description.name, "entry") ||
         glob_matches(description.name, "return");
}

// "__x64_sys_openat" is the kernel's function for the call openat.
std::string_view without_prefix(std::string_view name) {
  for (const std::string_view prefix :
       {"__x64_sys_", "__se_sys_", "__do_sys_", "ksys_", "sys_", "SyS_"}) {
    if (name.starts_with(prefix)) {
      return name.substr(prefix.size());
    }
  }
  return name;
}

Probe probe_of(std::string_view call, std::uint32_t number, Edge edge) {
  const bool is_entry = edge == Edge::Entry;
  return Probe{
      .id = 0,
      .provider = "syscall",
      .module = std::string(kernel::kernel_module),
      .function = std::string(call),
      .name = is_entry ? "entry" : "return",
      .site = SystemCall{.number = number, .edge = edge},
      .key = key_in(is_entry ? KeySpace::SystemCallEntry : KeySpace::SystemCallReturn,
                    number)};
}

}  // namespace

std::string_view SyscallProvider::kernel_name(std::string_view name) const {
  const auto alias =
      std::ranges::find(calls_.aliases, name, &isa::SystemCallAlias::name);
  return alias == calls_.aliases.end() ? name : alias->kernel_name;
}

Result<Match> SyscallProvider::match(const d::Description& description) {
  // Another provider's probe names, such as "BEGIN" without a provider, are not worth
  // reading what the kernel traces for.
  if (description.provider.empty() && !covers_edge(description)) {
    return Match{};
  }
  if (!traced_) {
    traced_ = traced_calls();
  }
  d::Description wanted = description;
  wanted.function = kernel_name(description.function);
  Match found;
  NearNames near(without_prefix(description.function));
  bool is_known = false;
  for (std::uint32_t number = 0; number < calls_.names.size(); ++number) {
    const std::string_view call = calls_.names[number];
    if (call.empty() || (!traced_->empty() &&
                         !std::ranges::binary_search(*traced_, std::string(call)))) {
      continue;
    }
    near.offer(call);
    is_known = is_known || call == wanted.function;
    for (const Edge edge : {Edge::Entry, Edge::Return}) {
      Probe probe = probe_of(call, number, edge);
      if (covers(wanted, probe)) {
        found.probes.push_back(std::move(probe));
      }
    }
  }
  if (found.probes.empty()) {
    const bool is_elsewhere = !description.provider.empty() &&
                              !description.module.empty() &&
                              !glob_matches(description.module, kernel::kernel_module);
    found.why_none = is_known || is_elsewhere || !covers_edge(description)
                         ? "a system call's probes are syscall::CALL:entry and :return"
                         : near.question();
  }
  return found;
}

std::vector<ProbeArgument> SyscallProvider::arguments(const Probe& probe) const {
  const bool is_entry = std::get<SystemCall>(probe.site).edge == Edge::Entry;
  const auto format = kernel::read_tracepoint_format(
      {.system = tracepoint_system,
       .name =
           fmt::format("{}{}", is_entry ? entry_prefix : "sys_exit_", probe.function)});
  std::vector<ProbeArgument> arguments;
  if (!format || format->fields.empty()) {
    return arguments;
  }
  // The first field is the call's number.
  for (auto field = std::next(format->fields.begin()); field != format->fields.end();
       ++field) {
    arguments.push_back({.name = field->name,
                         .type = {},
                         .spelling = field->type,
                         .space = types::AddressSpace::User});
  }
  return arguments;
}

}  // namespace kinst::provider
