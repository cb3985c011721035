// Ends the process if it does not react to a stop signal.
#pragma once

#include <chrono>
#include <memory>

#include "base/result.h"

namespace kinst::run {

/// While this object lives, a stop signal that nobody takes for some time ends the
/// process as if the signal were not blocked. Examples: the process reads from a FIFO
/// that nobody writes to, reads debug information, or compiles a program for minutes.
/// The watcher then removes what is left in the kernel (bpf/attach/watcher.h).
class LastResort {
 public:
  /// How long a signal may stay untaken. While nothing is traced, ending loses nothing,
  /// so this time is short. While something is traced, END is still to run; few things
  /// keep the process from signals for long then, such as a record whose addresses are
  /// looked up in large debug information.
  static constexpr std::chrono::milliseconds while_idle{1500};
  static constexpr std::chrono::milliseconds while_tracing{5000};
  /// How long after the signal was seen and END is about to run, on a slow machine.
  static constexpr std::chrono::milliseconds while_ending{15000};

  /// Stop signals must be blocked. Errors: the system has no descriptor or thread left.
  static Result<LastResort> start();

  LastResort(LastResort&&) noexcept;
  LastResort& operator=(LastResort&&) = delete;
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;
  ~LastResort();

  void set_patience(std::chrono::milliseconds patience);

 private:
  /// The data that the thread watches.
  struct Watch;
  explicit LastResort(std::unique_ptr<Watch> watch);

  std::unique_ptr<Watch> watch_;
};

}  // namespace kinst::run
