// Ctrl-C and its kind as something to be read, never as an interruption.
#pragma once

#include <csignal>
#include <utility>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::session {

/// While it lives, SIGINT, SIGTERM and, unless it is ignored, SIGHUP are blocked for
/// the process and can be read: whatever is being done when one comes is finished or
/// undone in order. One that nobody has taken in the end is dropped.
class StopSignals {
 public:
  static Result<StopSignals> block();

  StopSignals(StopSignals&&) noexcept = default;
  StopSignals& operator=(StopSignals&&) = delete;
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// Readable when one has come.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Whether one has come since the last call. If so, the process is ending from here
  /// on (base/stop_signals.h).
  [[nodiscard]] bool take();

 private:
  StopSignals(FileDescriptor descriptor, const sigset_t& before)
      : descriptor_(std::move(descriptor)), before_(before) {}

  FileDescriptor descriptor_;
  sigset_t before_;
};

}  // namespace kinst::session
