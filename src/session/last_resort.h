// Ends the process where nothing else can.
#pragma once

#include <pthread.h>

#include <chrono>
#include <memory>

#include "base/result.h"

namespace kinst::session {

/// While it lives, a stop signal that nobody has taken for a while ends the process, as
/// it would if it were not blocked: a FIFO that nobody writes is being read, debug
/// information, a program that takes minutes to compile. What is left behind in the
/// kernel then is the watcher's to tidy (bpf/watcher.h).
class LastResort {
 public:
  /// How long a signal may wait. While nothing is traced, nothing is lost. While
  /// something is, END is to run, and what hears no signal for long is rare: a record
  /// whose addresses are looked up in large debug information.
  static constexpr std::chrono::milliseconds while_idle{1500};
  static constexpr std::chrono::milliseconds while_tracing{5000};
  /// How long where the signal was seen and END is on its way, on however slow a
  /// machine.
  static constexpr std::chrono::milliseconds while_ending{15000};

  /// Where stop signals are blocked. Errors: no descriptor or thread is to be had.
  static Result<LastResort> start();

  LastResort(LastResort&&) noexcept;
  LastResort& operator=(LastResort&&) = delete;
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;
  ~LastResort();

  void set_patience(std::chrono::milliseconds patience);

 private:
  /// What the thread looks at.
  struct Watch;
  explicit LastResort(std::unique_ptr<Watch> watch);

  std::unique_ptr<Watch> watch_;
  pthread_t thread_{};
};

}  // namespace kinst::session
