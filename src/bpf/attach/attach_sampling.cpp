// The software cpu-clock event: an hrtimer for each CPU that needs no hardware
// counters, so that it works in virtual machines.
#include "bpf/attach/attach_sampling.h"

#include <fmt/core.h>

#include <memory>

#include "bpf/attach/perf_event.h"

namespace kinst::bpf {

Result<OwnedAttachment> attach_sampling(const LoadedProgram& program,
                                        std::chrono::nanoseconds period,
                                        SampledCpus cpus, std::uint64_t cookie) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = static_cast<std::uint64_t>(period.count());
  std::vector<int> wanted = KINST_TRY(online_cpus());
  if (cpus.chosen) {
    wanted = {*cpus.chosen};
  } else if (!cpus.all) {
    wanted.resize(1);
  }
  auto attachment = std::make_unique<PerfAttachment>();
  for (const int cpu : wanted) {
    KINST_CHECK(attachment->open_and_add(program, attributes, {.cpu = cpu}, cookie,
                                         fmt::format("the clock of CPU {}", cpu)));
  }
  return attachment;
}

}  // namespace kinst::bpf
