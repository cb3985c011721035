// Signals as something to wait for beside other descriptors.
#pragma once

#include <array>
#include <csignal>
#include <optional>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst::guest {

/// While it lives, SIGINT, SIGTERM and SIGHUP are read here instead of ending the
/// process, and SIGPIPE is ignored, so that a write returns EPIPE.
class SignalWatch {
 public:
  static Result<SignalWatch> start();

  SignalWatch(SignalWatch&& other) noexcept = default;
  SignalWatch& operator=(SignalWatch&&) = delete;
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  /// Readable when a signal has come.
  [[nodiscard]] int descriptor() const { return signals_.get(); }

  /// The number of the signal that came, if one did.
  [[nodiscard]] std::optional<int> take() const;

 private:
  SignalWatch() = default;

  FileDescriptor signals_;
  sigset_t mask_before_{};
  struct sigaction pipe_before_ {};
};

/// "INT" for SIGINT, as kill(1) takes it.
const char* signal_name(int number);

}  // namespace kinst::guest
