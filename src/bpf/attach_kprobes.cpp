#include "bpf/attach_kprobes.h"

#include <utility>

namespace kinst::bpf {

Result<Kprobes> Kprobes::open(GracePeriods grace_periods) {
  auto events = KprobeEvents::open(grace_periods);
  if (events) {
    return Kprobes(Way(*std::move(events)));
  }
  auto single = SingleKprobes::open(grace_periods);
  if (single) {
    return Kprobes(Way(*std::move(single)));
  }
  return tl::unexpected(events.error());
}

Result<std::unique_ptr<KprobeAttachment>> Kprobes::attach(
    const LoadedProgram& program, std::span<const KernelAddress> addresses,
    KprobeKind kind, const ProgressReport& progress) {
  return std::visit(
      [&](auto& way) { return way.attach(program, addresses, kind, progress); }, way_);
}

}  // namespace kinst::bpf
