// Ctrl-C and its kind as something to be read, never as an interruption.
#pragma once

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::session {

/// SIGINT, SIGTERM and, unless it is ignored, SIGHUP are blocked for the process from
/// here on and can be read: whatever is being done when one comes is finished or undone
/// in order. Children must call unblock_stop_signals() before they run another program.
class StopSignals {
 public:
  static Result<StopSignals> block();

  /// Readable when one has come.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Whether one has come since the last call.
  [[nodiscard]] bool take();

  /// The same without taking it.
  [[nodiscard]] bool has_come();

 private:
  explicit StopSignals(FileDescriptor descriptor)
      : descriptor_(std::move(descriptor)) {}

  FileDescriptor descriptor_;
  bool has_come_ = false;
};

void unblock_stop_signals();

}  // namespace kinst::session
