#include "bpf/attach/attach_kprobes.h"

#include <string>
#include <utility>

#include "base/system/read_file.h"

namespace kinst::bpf {

namespace {

// Probes are taken then as always, and none fires (kernel/kprobes.c,
// kprobes_all_disarmed). Where debugfs does not tell, nothing does.
Result<void> check_enabled() {
  const std::string path = "/sys/kernel/debug/kprobes/enabled";
  const auto text = read_file(path);
  if (text && text->starts_with('0')) {
    return error(
        "all kprobes of this machine are switched off, so no probe would fire; "
        "as root: echo 1 > {}",
        path);
  }
  return {};
}

}  // namespace

Result<Kprobes> Kprobes::open(SettingPolicy policy) {
  KINST_CHECK(check_enabled());
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

Result<std::unique_ptr<KprobeAttachment>> Kprobes::attach_coming(
    const LoadedProgram& program, std::span<const ComingKprobe> probes,
    const ProgressReport& progress) {
  auto* events = std::get_if<KprobeEvents>(&way_);
  if (events == nullptr) {
    return error("without tracefs the kernel waits for no module");
  }
  return events->attach_coming(program, probes, progress);
}

}  // namespace kinst::bpf
