// Keeps probes in the code of processes while these become something else.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "session/running.h"

namespace kinst::session {

/// A thread that attaches the probes of a process anew where that is needed
/// (process_stops.h), while the process stands still: at once, whatever the rest of
/// this program waits for.
class ProcessFollower {
 public:
  /// Called from the thread with what went wrong.
  using Tell = std::function<void(const std::string& sentence)>;

  /// From now on processes stand still until begin(). running and `tell` must outlive
  /// it. Errors: what the kernel refused.
  static Result<ProcessFollower> make(Running& running,
                                      const std::set<pid_t>& processes, Tell tell);

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
