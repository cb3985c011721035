// Stop signals such as Ctrl-C's, read from a descriptor instead of interrupting the
// process.
#pragma once

#include <csignal>
#include <utility>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst::run {

/// While this object lives, SIGINT, SIGTERM and SIGHUP are blocked and can be read, so
/// that work in progress is finished or undone in order. SIGHUP stays ignored if it is
/// ignored. A signal that nobody has taken is dropped at the end.
class StopSignals {
 public:
  static Result<StopSignals> block();

  StopSignals(StopSignals&&) noexcept = default;
  StopSignals& operator=(StopSignals&&) = delete;
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// Readable when a signal has come.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Whether a signal has come since the last call. If so, the process counts as ending
  /// from then on (base/system/stop_signals.h).
  [[nodiscard]] bool take();

 private:
  StopSignals(FileDescriptor descriptor, const sigset_t& before)
      : descriptor_(std::move(descriptor)), before_(before) {}

  FileDescriptor descriptor_;
  sigset_t before_;
};

}  // namespace kinst::run
