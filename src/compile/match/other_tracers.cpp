#include "compile/match/other_tracers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace kinst::compile {
namespace {

std::vector<std::string_view> given_fields(const d::Description& description) {
  std::vector<std::string_view> fields = {description.provider, description.module,
                                          description.function, description.name};
  const auto given = std::min<std::size_t>(description.fields_given, fields.size());
  fields.erase(fields.begin(), fields.end() - static_cast<std::ptrdiff_t>(given));
  return fields;
}

std::string hint(std::string_view meant) {
  return fmt::format("did you mean '{}'?", meant);
}

// What stands first in bpftrace's names of functions, and where its probe is.
struct FunctionKind {
  std::string_view word;
  std::string_view edge;
};
constexpr auto function_kinds = std::to_array<FunctionKind>({
    {"kprobe", "entry"},
    {"k", "entry"},
    {"kretprobe", "return"},
    {"kr", "return"},
    {"fentry", "entry"},
    {"kfunc", "entry"},
    {"f", "entry"},
    {"fexit", "return"},
    {"kretfunc", "return"},
    {"fr", "return"},
    {"p", "entry"},
    {"r", "return"},
});

// What stands first in bpftrace's names of places in programs, and where its probe is.
constexpr auto program_kinds = std::to_array<FunctionKind>({
    {"uprobe", "entry"},
    {"u", "entry"},
    {"uretprobe", "return"},
    {"ur", "return"},
    {"usdt", "entry"},
    {"U", "entry"},
});

constexpr auto own_probes = std::to_array<std::string_view>({"BEGIN", "END", "ERROR"});

bool has_digit_first(std::string_view text) {
  return text.find_first_of("0123456789") == 0;
}

// "tick" and "profile" without a rate, and "tick:1s".
std::optional<std::string> of_timer(const std::vector<std::string_view>& fields) {
  const std::string_view first = fields.front();
  if (first != "tick" && first != "profile" && first != "interval") {
    return std::nullopt;
  }
  const std::string_view kind = first == "profile" ? "profile" : "tick";
  if (fields.size() == 1) {
    return hint(fmt::format("{}-{}", kind, first == "profile" ? "97" : "1s"));
  }
  return fields.size() == 2 && has_digit_first(fields.back())
             ? std::optional(hint(fmt::format("{}-{}", kind, fields.back())))
             : std::nullopt;
}

// One of dtrace's own probes alone among empty fields: "BEGIN:".
std::optional<std::string> of_own_probe(const std::vector<std::string_view>& fields) {
  std::string_view only;
  for (const std::string_view field : fields) {
    if (!field.empty() && !only.empty()) {
      return std::nullopt;
    }
    only = field.empty() ? only : field;
  }
  return fields.size() > 1 && fields.back().empty() &&
                 std::ranges::find(own_probes, only) != own_probes.end()
             ? std::optional(hint(only))
             : std::nullopt;
}

// DTrace's providers that kinst does not have, and the probes that tell the same.
struct MissingProvider {
  std::string_view name;
  std::string_view instead;
};
constexpr auto missing_providers = std::to_array<MissingProvider>({
    {"cpc", "profile-N tells where time goes"},
    {"io", "sdt:block::block_rq_issue and sdt:block::block_rq_complete tell the same"},
    {"ip", "sdt:net::net_dev_queue and sdt:net::netif_receive_skb tell the same"},
    {"lockstat",
     "sdt:lock::contention_begin and sdt:lock::contention_end tell of waits"},
    {"plockstat", "pid$target:libc:pthread_mutex_lock:entry tells the same"},
    {"proc",
     "sdt:sched::sched_process_fork, sdt:sched::sched_process_exec, "
     "sdt:sched::sched_process_exit and sdt:signal::signal_generate tell the same"},
    {"sched",
     "sdt:sched::sched_switch, sdt:sched::sched_wakeup and "
     "sdt:sched::sched_migrate_task tell the same"},
    {"sysinfo", "syscall:::entry and sdt:sched::sched_switch can be counted"},
    {"tcp",
     "sdt:sock::inet_sock_set_state, sdt:tcp::tcp_retransmit_skb and "
     "sdt:tcp::tcp_receive_reset tell the same"},
    {"udp", "fbt::udp_sendmsg:entry and fbt::udp_recvmsg:entry tell the same"},
    {"usdt", "pid$target:MODULE:FUNCTION:entry traces a program's functions"},
    {"vminfo",
     "sdt:exceptions::page_fault_user and the tracepoints of sdt:vmscan::: can be "
     "counted"},
});

std::string of_tracepoint(std::string_view system, std::string_view name) {
  constexpr std::string_view enter = "sys_enter_";
  constexpr std::string_view leave = "sys_exit_";
  if (system == "syscalls" && name.starts_with(enter)) {
    return fmt::format("syscall::{}:entry", name.substr(enter.size()));
  }
  if (system == "syscalls" && name.starts_with(leave)) {
    return fmt::format("syscall::{}:return", name.substr(leave.size()));
  }
  return fmt::format("sdt:{}::{}", system, name);
}

// "vfs_read+0x9"
std::optional<std::string> of_sum(std::string_view name) {
  const std::size_t plus = name.find('+');
  if (plus == std::string_view::npos || plus == 0 || plus + 1 == name.size() ||
      name.find_first_not_of("0123456789abcdefABCDEFx", plus + 1) !=
          std::string_view::npos) {
    return std::nullopt;
  }
  return fmt::format("kinst::{}:{}", name.substr(0, plus), name.substr(plus + 1));
}

}  // namespace

std::optional<std::string> meant_by_others(const d::Description& description) {
  const auto* missing = std::ranges::find(missing_providers, description.provider,
                                          &MissingProvider::name);
  if (missing != missing_providers.end()) {
    return fmt::format("kinst does not have the provider '{}'; {}", missing->name,
                       missing->instead);
  }
  const std::vector<std::string_view> fields = given_fields(description);
  if (const auto meant = fields.empty() ? std::nullopt : of_sum(fields.back())) {
    return hint(*meant);
  }
  if (const auto timer = fields.empty() ? std::nullopt : of_timer(fields)) {
    return timer;
  }
  if (const auto own = fields.empty() ? std::nullopt : of_own_probe(fields)) {
    return own;
  }
  if (fields.size() < 2) {
    return std::nullopt;
  }
  const std::string_view first = fields.front();
  const std::string_view last = fields.back();
  if (first == "software" || first == "hardware") {
    return std::string(
        "kinst counts no hardware events; profile-97 tells where time goes, and "
        "sdt:exceptions::page_fault_user counts page faults");
  }
  const auto* function = std::ranges::find(function_kinds, first, &FunctionKind::word);
  const bool is_timer = first == "p" && fields.size() == 3;
  if (function != function_kinds.end() && !is_timer) {
    return hint(fmt::format("fbt::{}:{}", last, function->edge));
  }
  if (fields.size() != 3) {
    return std::nullopt;
  }
  const auto* program = std::ranges::find(program_kinds, first, &FunctionKind::word);
  if (program != program_kinds.end()) {
    return fmt::format(
        "a program is traced with -c or -p; {}",
        hint(fmt::format("pid$target:{}:{}:{}", fields[1], last, program->edge)));
  }
  if (first == "tracepoint" || first == "t") {
    return hint(of_tracepoint(fields[1], last));
  }
  if (first == "rawtracepoint" || first == "rt") {
    return hint(fmt::format("rawtp:::{}", last));
  }
  if (first == "interval" || first == "i") {
    return hint(fmt::format("tick-{}{}", last, fields[1]));
  }
  if ((first == "profile" || first == "p") && !last.empty()) {
    return hint(fmt::format("profile-{}{}", last, fields[1]));
  }
  return std::nullopt;
}

}  // namespace kinst::compile
