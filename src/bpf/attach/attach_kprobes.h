// Kprobes in the best way that this kernel has.
#pragma once

#include <memory>
#include <span>
#include <variant>

#include "bpf/attach/attach_kprobe_events.h"
#include "bpf/attach/attach_kprobe_perf.h"
#include "bpf/attach/borrowed_setting.h"

namespace kinst::bpf {

/// Grouped events where there is tracefs, else one perf event for each probe. From its
/// opening on the kernel leaves probes unoptimized, so that a short run can end at
/// once.
class Kprobes {
 public:
  /// Errors: neither way works; the error is that of grouped events.
  static Result<Kprobes> open(SettingPolicy policy = SettingPolicy::Borrow);

  /// As KprobeEvents::attach.
  Result<std::unique_ptr<KprobeAttachment>> attach(
      const LoadedProgram& program, std::span<const KernelAddress> addresses,
      KprobeKind kind, const ProgressReport& progress = {});

  /// As KprobeEvents::attach_coming. Errors besides: there is no tracefs.
  Result<std::unique_ptr<KprobeAttachment>> attach_coming(
      const LoadedProgram& program, std::span<const ComingKprobe> probes,
      const ProgressReport& progress = {});

  /// Lets the kernel optimize probes, which makes each hit cheaper. For long runs.
  void let_optimize() { unoptimized_.give_back(); }

 private:
  using Way = std::variant<KprobeEvents, SingleKprobes>;
  Kprobes(Way way, SettingPolicy policy)
      : way_(std::move(way)), unoptimized_(leave_kprobes_unoptimized(policy)) {}

  Way way_;
  BorrowedSetting unoptimized_;
};

}  // namespace kinst::bpf
