// Each kind of site has its way of attaching in bpf.
#include "provider/attach.h"

#include <chrono>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "bpf/attach_sampling.h"

namespace kinst::provider {
namespace {

using Attachments = std::vector<bpf::OwnedAttachment>;

Result<Attachments> attach_timers(const bpf::LoadedProgram& program,
                                  std::span<const Probe> all,
                                  std::span<const std::size_t> probes) {
  Attachments attachments;
  for (const std::size_t index : probes) {
    const auto& timer = std::get<Timer>(all[index].site);
    attachments.push_back(KINST_TRY(bpf::attach_sampling(
        program, std::chrono::nanoseconds(timer.period_ns),
        timer.on_every_cpu ? bpf::SampledCpus::All : bpf::SampledCpus::One)));
  }
  return attachments;
}

}  // namespace

Result<Attachments> attach(const bpf::LoadedProgram& program,
                           std::span<const Probe> all,
                           std::span<const std::size_t> probes,
                           const bpf::ProgressReport& /*progress*/) {
  return std::visit(
      Overloaded{[](const OwnProbe&) -> Result<Attachments> { return Attachments{}; },
                 [](const KernelInstruction&) -> Result<Attachments> {
                   return error("kprobes are not attached yet");
                 },
                 [&](const Timer&) { return attach_timers(program, all, probes); }},
      all[probes.front()].site);
}

}  // namespace kinst::provider
