// Keeps probes attached to processes while these execute other programs or load
// libraries.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "provider/probe.h"
#include "run/awaited_probes.h"
#include "run/enabling.h"

namespace kinst::run {

/// A thread that attaches the probes of a process anew after another thread than its
/// first has executed a program, and that attaches awaited probes when their libraries
/// are loaded. The process is stopped meanwhile (process_stops.h). The thread reacts at
/// once, whatever the other threads wait for.
class ProcessFollower {
 public:
  /// Callbacks, which the thread calls.
  struct Listener {
    /// Called for each probe that comes, before it can fire.
    std::function<void(const provider::Probe&)> probe;
    /// Called for a process whose mappings have changed.
    std::function<void(pid_t)> change;
    /// Called with the number of probes that came in an object: "3 probes in libfoo.so,
    /// …".
    std::function<void(const std::string& sentence)> gain;
    std::function<void(const std::string& sentence)> failure;
  };

  /// From this call on, processes that would need the thread are stopped and stay
  /// stopped until begin(). enabling: must outlive it. processes: those that have
  /// probes or await probes. Errors: what the kernel refused.
  static Result<ProcessFollower> make(Enabling& enabling, std::set<pid_t> processes,
                                      AwaitedProbes awaited, Listener listener);

  ProcessFollower(ProcessFollower&&) noexcept;
  ProcessFollower& operator=(ProcessFollower&&) = delete;
  ProcessFollower(const ProcessFollower&) = delete;
  ProcessFollower& operator=(const ProcessFollower&) = delete;
  /// Stops the thread, and lets the stopped processes continue.
  ~ProcessFollower();

  /// Starts the thread. To be called after the probes that exist at first are attached.
  void begin();

 private:
  struct Work;
  explicit ProcessFollower(std::unique_ptr<Work> work);

  std::unique_ptr<Work> work_;
};

}  // namespace kinst::run
