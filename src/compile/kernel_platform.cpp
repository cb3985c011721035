// Registers from the machine's description, structure offsets from the kernel's BTF.
#include "compile/kernel_platform.h"

#include <sys/stat.h>

#include <ctime>
#include <string_view>

#include "bpf/load/map.h"
#include "codegen/plan/machine_platform.h"

namespace kinst::compile {
namespace {

std::uint64_t clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

bool is_in_initial_pid_namespace() {
  // PROC_PID_INIT_INO, include/linux/proc_ns.h.
  constexpr ino_t initial = 0xeffffffc;
  struct stat status {};
  return stat("/proc/self/ns/pid", &status) != 0 || status.st_ino == initial;
}

std::optional<codegen::PidNamespace> pid_namespace(types::KernelTypes& types) {
  struct stat status {};
  if (is_in_initial_pid_namespace() || stat("/proc/self/ns/pid", &status) != 0) {
    return std::nullopt;
  }
  const auto offset = [&](std::string_view structure,
                          std::string_view path) -> std::optional<std::uint64_t> {
    return types.member_offset(structure, path);
  };
  const auto thread_pid = offset("task_struct", "thread_pid");
  const auto leader = offset("task_struct", "group_leader");
  const auto level = offset("pid", "level");
  const auto numbers = offset("pid", "numbers");
  const auto name_space = offset("upid", "ns");
  const auto inode = offset("pid_namespace", "ns.inum");
  const auto upid = types.find_member("upid", "");
  if (!thread_pid || !leader || !level || !numbers || !name_space || !inode || !upid) {
    return std::nullopt;
  }
  return codegen::PidNamespace{
      .task_layout = *thread_pid | *leader << 16U | *level << 32U | *numbers << 48U,
      .pid_layout = upid->size_bytes | *name_space << 16U | *inode << 32U,
      .number = static_cast<std::uint32_t>(status.st_ino)};
}

Result<codegen::Platform> make_platform(const isa::Isa& isa,
                                        types::KernelTypes* types) {
  codegen::Platform platform = codegen::machine_platform(isa);
  for (const isa::Register& one : isa.registers) {
    platform.thread_registers.push_back(
        types != nullptr && !one.task_member.empty()
            ? types->find_member("task_struct", one.task_member)
            : std::nullopt);
  }
  platform.cpus = KINST_TRY(bpf::possible_cpu_count());
  platform.wall_clock_offset_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
  if (types != nullptr) {
    const auto task_offset = [&](std::string_view path) {
      return types->member_offset("task_struct", path);
    };
    platform.kernel = {.task_parent = task_offset("real_parent"),
                       .task_process = task_offset("tgid"),
                       .task_time_on_cpu_ns = task_offset("se.sum_exec_runtime")};
    platform.pid_namespace = pid_namespace(*types);
    platform.system_calls.compatible_flags_offset =
        task_offset(isa.system_calls().compatible_member);
  }
  return platform;
}

}  // namespace kinst::compile
