#include "bpf/load/privileges.h"

#include <fmt/core.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/system/lockdown.h"

namespace kinst::bpf {
namespace {

struct Capability {
  unsigned number;
  std::string_view name;
};
constexpr std::array needed = {Capability{CAP_BPF, "CAP_BPF"},
                               Capability{CAP_PERFMON, "CAP_PERFMON"}};

/// The effective capabilities as one mask; CAP_SYS_ADMIN stands for those needed.
std::uint64_t effective_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (syscall(SYS_capget, &header, data.data()) != 0) {
    return 0;
  }
  return data[0].effective | std::uint64_t{data[1].effective} << 32U;
}

std::string missing_capabilities() {
  const std::uint64_t have = effective_capabilities();
  const auto has = [have](unsigned number) { return (have >> number & 1U) != 0; };
  if (has(CAP_SYS_ADMIN)) {
    return {};
  }
  std::string missing;
  for (const Capability& capability : needed) {
    if (!has(capability.number)) {
      missing += fmt::format("{}{}", missing.empty() ? "" : " and ", capability.name);
    }
  }
  return missing;
}

/// With every capability there: what else forbids it.
std::string explain_forbidden() {
  if (std::string lockdown = explain_lockdown(); !lockdown.empty()) {
    return lockdown;
  }
  return "Operation not permitted, though the capabilities are there: a container's "
         "seccomp filter, a security module, a kernel that is locked down or the "
         "sysctl kernel.perf_event_paranoid forbids it";
}

}  // namespace

std::string explain_refusal(int number) {
  if (number == ENOSYS) {
    return "this kernel is built without BPF (CONFIG_BPF_SYSCALL)";
  }
  if (number != EPERM && number != EACCES) {
    return std::strerror(number);
  }
  const std::string missing = missing_capabilities();
  return missing.empty() ? explain_forbidden()
                         : fmt::format("{} missing: run as root", missing);
}

std::string kernel_name(std::string_view name) {
  std::string result(name.substr(0, BPF_OBJ_NAME_LEN - 1));
  std::ranges::replace_if(
      result,
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '.'; },
      '_');
  return result;
}

}  // namespace kinst::bpf
