// Traces one run, from BEGIN to END.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "run/enabling.h"
#include "run/signals.h"
#include "run/target.h"

namespace kinst::run {

enum class Ended {
  ByExit,        ///< the program called exit()
  BySignal,      ///< SIGINT, SIGTERM or SIGHUP
  ByTarget,      ///< the command of -c, or the process of -p, ended
  ByReader,      ///< the output is closed
  ByFullBuffer,  ///< with bufpolicy=fill, a record had no room
};

/// What is done with records, and called during a run.
struct RecordSink {
  TakeRecord record;
  /// Called before BEGIN with the probes that the kernel refused.
  std::function<void(const std::vector<provider::RefusedProbe>&)> refused;
  /// Called when no record is left for now, and at least once in each `interval`: the
  /// time to flush output and report drops. Returns ByReader or ByFullBuffer to end the
  /// run.
  std::function<std::optional<Ended>()> pause;
  /// Called with the number of records that were given up because a signal leaves no
  /// time for them.
  std::function<void(std::uint64_t)> given_up;
  /// Called when all records except END's have been taken.
  std::function<void()> over;
  std::chrono::milliseconds interval{1000};
  /// How often to check whether the program has called exit(), if nothing else happens.
  std::chrono::milliseconds status_interval{1000};
  /// Whether records are taken only at the end of each `interval`, not as they come.
  bool gathers = false;
};

/// Attaches the probes, runs BEGIN, traces, and runs END. END runs, whatever ends the
/// run. Every record is taken. Only after a signal, records that are not taken within
/// patience_after_signal are given up and counted; another signal gives them up at
/// once. Probes stay attached but inactive, so that losses can be read; the caller
/// detaches them.
/// target: let go once tracing has begun; may be null.
/// Errors: attaching was refused; the target could not be run.
Result<Ended> trace(Enabling& enabling, StopSignals& signals, Target* target,
                    const RecordSink& sink);

}  // namespace kinst::run
