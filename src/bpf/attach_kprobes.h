// Kprobes in the best way that this kernel has.
#pragma once

#include <memory>
#include <span>
#include <variant>

#include "bpf/attach_kprobe_events.h"
#include "bpf/attach_kprobe_perf.h"

namespace kinst::bpf {

/// Grouped events where there is tracefs, else one perf event for each probe.
class Kprobes {
 public:
  /// Errors: why there are neither, in the words of the better way.
  static Result<Kprobes> open(GracePeriods grace_periods = GracePeriods::Expedite);

  /// As KprobeEvents::attach.
  Result<std::unique_ptr<KprobeAttachment>> attach(
      const LoadedProgram& program, std::span<const KernelAddress> addresses,
      KprobeKind kind, const ProgressReport& progress = {});

 private:
  using Way = std::variant<KprobeEvents, SingleKprobes>;
  explicit Kprobes(Way way) : way_(std::move(way)) {}

  Way way_;
};

}  // namespace kinst::bpf
