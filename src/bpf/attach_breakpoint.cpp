#include "bpf/attach_breakpoint.h"

#include <fmt/core.h>
#include <linux/hw_breakpoint.h>

#include <memory>

#include "bpf/perf_event.h"

namespace kinst::bpf {

Result<OwnedAttachment> attach_breakpoint(const LoadedProgram& program, pid_t thread,
                                          std::uint64_t address) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.bp_type = HW_BREAKPOINT_X;
  attributes.bp_addr = address;
  attributes.bp_len = sizeof(long);
  attributes.sample_period = 1;
  attributes.exclude_kernel = 1;
  auto attachment = std::make_unique<PerfAttachment>();
  KINST_CHECK(
      attachment->open_and_add(program, attributes, {.process = thread}, 0,
                               fmt::format("a breakpoint in process {}", thread)));
  return attachment;
}

}  // namespace kinst::bpf
