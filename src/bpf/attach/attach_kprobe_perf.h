// Attaches kprobes one by one, for kernels without tracefs.
#pragma once

#include <memory>
#include <span>

#include "base/address.h"
#include "base/result.h"
#include "bpf/attach/attach_kprobe_events.h"
#include "bpf/attach/borrowed_setting.h"
#include "bpf/attach/watcher.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

/// Makes a perf event for each kprobe: some ten times slower than KprobeEvents, and the
/// kernel keeps no counts.
class SingleKprobes {
 public:
  /// Errors: this kernel has no kprobes.
  static Result<SingleKprobes> open(SettingPolicy policy = SettingPolicy::Borrow);

  /// As KprobeEvents::attach, but counts() of the result is an error.
  Result<std::unique_ptr<KprobeAttachment>> attach(
      const LoadedProgram& program, std::span<const KernelAddress> addresses,
      KprobeKind kind, const ProgressReport& progress = {});

 private:
  SingleKprobes(std::uint32_t event_type, std::shared_ptr<const Survivor> watcher,
                SettingPolicy policy)
      : event_type_(event_type), watcher_(std::move(watcher)), policy_(policy) {}

  std::uint32_t event_type_;
  std::shared_ptr<const Survivor> watcher_;
  SettingPolicy policy_;
};

}  // namespace kinst::bpf
