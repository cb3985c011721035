// Each kind of site has its way of attaching in bpf.
#include "provider/attach.h"

#include <chrono>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "bpf/attach_sampling.h"
#include "bpf/attach_tracepoint.h"

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

Result<Attachments> attach_system_calls(const bpf::LoadedProgram& program,
                                        const SystemCall& first) {
  Attachments attachments;
  attachments.push_back(KINST_TRY(bpf::attach_raw_tracepoint(
      program, first.edge == Edge::Entry ? "sys_enter" : "sys_exit")));
  return attachments;
}

}  // namespace

Result<Attachments> attach(const bpf::LoadedProgram& program,
                           std::span<const Probe> all,
                           std::span<const std::size_t> probes,
                           const bpf::ProgressReport& /*progress*/) {
  return std::visit(
      Overloaded{
          [](const OwnProbe&) -> Result<Attachments> { return Attachments{}; },
          [](const KernelInstruction&) -> Result<Attachments> {
            return error("kprobes are not attached yet");
          },
          [&](const Timer&) { return attach_timers(program, all, probes); },
          [&](const SystemCall& first) { return attach_system_calls(program, first); }},
      all[probes.front()].site);
}

}  // namespace kinst::provider
