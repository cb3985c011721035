#include "bpf/attach/attach_breakpoint.h"

#include <fmt/core.h>
#include <linux/hw_breakpoint.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <bit>
#include <memory>

#include "bpf/attach/perf_event.h"

namespace kinst::bpf {
namespace {

perf_event_attr attributes_of(std::uint64_t address) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.bp_type = HW_BREAKPOINT_X;
  attributes.bp_addr = address;
  attributes.bp_len = sizeof(long);
  attributes.sample_period = 1;
  attributes.exclude_kernel = 1;
  return attributes;
}

// A function that nobody else calls; what it does keeps its calls from being left out.
[[gnu::noinline]] void come_by() {
  __asm__ volatile("" ::: "memory");
}

}  // namespace

Result<OwnedAttachment> attach_breakpoint(const LoadedProgram& program, pid_t thread,
                                          std::uint64_t address) {
  auto attachment = std::make_unique<PerfAttachment>();
  KINST_CHECK(
      attachment->open_and_add(program, attributes_of(address), {.process = thread}, 0,
                               fmt::format("a breakpoint in process {}", thread)));
  return attachment;
}

bool do_breakpoints_work() {
  const FileDescriptor event = try_perf_event(
      attributes_of(std::bit_cast<std::uint64_t>(&come_by)), {.process = 0});
  if (!event || ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) {
    return true;
  }
  come_by();
  std::uint64_t count = 0;
  return read(event.get(), &count, sizeof count) != sizeof count || count != 0;
}

}  // namespace kinst::bpf
