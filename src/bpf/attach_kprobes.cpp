#include "bpf/attach_kprobes.h"

#include <utility>

namespace kinst::bpf {

Result<Kprobes> Kprobes::open(SettingPolicy policy) {
  auto events = KprobeEvents::open(policy);
  if (events) {
    return Kprobes(Way(*std::move(events)), policy);
  }
  auto single = SingleKprobes::open(policy);
  if (single) {
    return Kprobes(Way(*std::move(single)), policy);
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
