// A second process that tidies up when this one is killed and cannot.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::bpf {

/// Whether the machine's setting of grace periods may be changed for a while.
enum class GracePeriods : std::uint8_t { Expedite, Leave };

/// Owns a small process that waits for the end of this one. If that comes by surprise,
/// it removes this process's group of probe events and restores the grace periods'
/// setting; destroyed orderly, it just ends. It belongs to its own session, so that
/// what is killed with a terminal or a process group does not include it.
class Watcher {
 public:
  /// Start it before there is anything to tidy, and before other threads.
  static Result<Watcher> start(GracePeriods grace_periods = GracePeriods::Expedite);

  Watcher(Watcher&& other) noexcept;
  Watcher& operator=(Watcher&&) = delete;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

  /// Tells it whether /sys/kernel/rcu_expedited is now set and to be restored.
  void set_expedited(bool expedited) { *expedited_ = expedited; }
  [[nodiscard]] bool may_expedite() const { return may_expedite_; }

 private:
  Watcher(FileDescriptor life_line, std::atomic<bool>* expedited, bool may_expedite)
      : life_line_(std::move(life_line)),
        expedited_(expedited),
        may_expedite_(may_expedite) {}

  FileDescriptor life_line_;      ///< a pipe that ends when this process does
  std::atomic<bool>* expedited_;  ///< in memory shared with the watcher
  bool may_expedite_;
};

/// Makes the kernel's waits for grace periods short while probes come and go: each
/// probe removed waits for one, some 20 ms long normally and below 1 ms expedited.
/// Sets /sys/kernel/rcu_expedited and restores it when destroyed. Does nothing where
/// the watcher was told to leave it, or the file is missing, already set, or in use by
/// another process like this.
class ExpeditedGracePeriods {
 public:
  explicit ExpeditedGracePeriods(Watcher& watcher);
  ~ExpeditedGracePeriods();
  ExpeditedGracePeriods(ExpeditedGracePeriods&&) = delete;
  ExpeditedGracePeriods& operator=(ExpeditedGracePeriods&&) = delete;
  ExpeditedGracePeriods(const ExpeditedGracePeriods&) = delete;
  ExpeditedGracePeriods& operator=(const ExpeditedGracePeriods&) = delete;

 private:
  Watcher& watcher_;
  FileDescriptor setting_;  ///< open, and locked, while it is ours
};

}  // namespace kinst::bpf
