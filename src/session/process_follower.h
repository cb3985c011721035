// Keeps probes in the code of processes while these become something else.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "provider/probe.h"
#include "session/awaited_probes.h"
#include "session/running.h"

namespace kinst::session {

/// A thread that attaches the probes of processes anew where that is needed, and those
/// that are awaited when they come, while the process stands still (process_stops.h):
/// at once, whatever the rest of this program waits for.
class ProcessFollower {
 public:
  /// What others are told, from the thread.
  struct Listener {
    /// Of each probe that comes, before it can fire.
    std::function<void(const provider::Probe&)> probe;
    /// Of a process in which something else is mapped now.
    std::function<void(pid_t)> change;
    /// Of how many came, with the object: "3 probes in libfoo.so, …".
    std::function<void(const std::string& sentence)> gain;
    std::function<void(const std::string& sentence)> failure;
  };

  /// From now on processes stand still until begin(). running must outlive it.
  /// processes: those with probes, or with probes awaited. Errors: what the kernel
  /// refused.
  static Result<ProcessFollower> make(Running& running, std::set<pid_t> processes,
                                      AwaitedProbes awaited, Listener listener);

  ProcessFollower(ProcessFollower&&) noexcept;
  ProcessFollower& operator=(ProcessFollower&&) = delete;
  ProcessFollower(const ProcessFollower&) = delete;
  ProcessFollower& operator=(const ProcessFollower&) = delete;
  /// Ends the thread; lets go what stands still.
  ~ProcessFollower();

  /// Starts the thread. Everything is attached that is attached at first.
  void begin();

 private:
  struct Work;
  explicit ProcessFollower(std::unique_ptr<Work> work);

  std::unique_ptr<Work> work_;
};

}  // namespace kinst::session
