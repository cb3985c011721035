#include "bpf/attach/perf_event.h"

#include <bpf/bpf.h>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "base/system/read_file.h"
#include "bpf/load/privileges.h"

namespace kinst::bpf {

Result<std::uint32_t> perf_event_type(const std::string& name) {
  std::ifstream file(fmt::format("/sys/bus/event_source/devices/{}/type", name));
  std::uint32_t type = 0;
  if (!(file >> type)) {
    return error("this kernel has no {}s", name);
  }
  return type;
}

FileDescriptor try_perf_event(const perf_event_attr& attributes, PerfTarget target) {
  perf_event_attr wanted = attributes;
  wanted.size = sizeof wanted;
  wanted.disabled = 1;
  return FileDescriptor(
      static_cast<int>(syscall(SYS_perf_event_open, &wanted, target.process, target.cpu,
                               -1, PERF_FLAG_FD_CLOEXEC)));
}

Result<FileDescriptor> open_perf_event(const perf_event_attr& attributes,
                                       PerfTarget target, std::string_view what) {
  FileDescriptor event = try_perf_event(attributes, target);
  if (!event) {
    const int cause = errno;
    return error("cannot open {}: {}", what,
                 cause == ENOSYS
                     ? "this kernel is built without perf events (CONFIG_PERF_EVENTS)"
                     : explain_refusal(cause));
  }
  return event;
}

Result<FileDescriptor> run_at_event(const LoadedProgram& program,
                                    const FileDescriptor& event, std::uint64_t cookie,
                                    std::string_view what) {
  bpf_link_create_opts options{.sz = sizeof options};
  options.perf_event.bpf_cookie = cookie;
  FileDescriptor link(
      bpf_link_create(program.descriptor.get(), event.get(), BPF_PERF_EVENT, &options));
  if (!link) {
    const int cause = errno;
    return error("cannot attach program {} to {}: {}", program.name, what,
                 explain_refusal(cause));
  }
  if (ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) {
    return system_error(fmt::format("start {}", what), errno);
  }
  return link;
}

Result<std::vector<int>> online_cpus() {
  constexpr const char* path = "/sys/devices/system/cpu/online";
  std::istringstream file(KINST_TRY(read_file(path)));
  std::vector<int> cpus;
  int first = 0;
  while (file >> first) {  // "0-3,5"
    int last = first;
    if (file.peek() == '-') {
      file.ignore();
      file >> last;
    }
    for (int cpu = first; cpu <= last; ++cpu) {
      cpus.push_back(cpu);
    }
    file.ignore();
  }
  if (cpus.empty()) {
    return error("cannot read which CPUs are online from {}", path);
  }
  return cpus;
}

Result<void> PerfAttachment::add(const LoadedProgram& program, FileDescriptor event,
                                 std::uint64_t cookie, std::string_view what) {
  events_.push_back(std::move(event));
  links_.push_back(KINST_TRY(run_at_event(program, events_.back(), cookie, what)));
  return {};
}

Result<void> PerfAttachment::open_and_add(const LoadedProgram& program,
                                          const perf_event_attr& attributes,
                                          PerfTarget target, std::uint64_t cookie,
                                          std::string_view what) {
  return add(program, KINST_TRY(open_perf_event(attributes, target, what)), cookie,
             what);
}

void PerfAttachment::detach(const std::function<void()>& part_is_gone) {
  // All stop before the first is closed: closing can take long.
  for (const FileDescriptor& event : events_) {
    ioctl(event.get(), PERF_EVENT_IOC_DISABLE, 0);
  }
  while (!events_.empty()) {
    if (links_.size() == events_.size()) {
      links_.pop_back();
    }
    events_.pop_back();
    if (part_is_gone) {
      part_is_gone();
    }
  }
}

}  // namespace kinst::bpf
