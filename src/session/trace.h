// One run from BEGIN to END.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "session/running.h"
#include "session/signals.h"
#include "session/target.h"

namespace kinst::session {

enum class Ended {
  ByExit,        ///< the program called exit()
  BySignal,      ///< SIGINT, SIGTERM or SIGHUP
  ByTarget,      ///< the command of -c, or the process of -p, ended
  ByReader,      ///< the output is closed
  ByFullBuffer,  ///< no more records are wanted
};

/// What becomes of records while a program runs.
struct RecordSink {
  TakeRecord record;
  /// Told before BEGIN of probes that the kernel did not take.
  std::function<void(const std::vector<provider::RefusedProbe>&)> refused;
  /// Called when there is nothing more to take for now, at least once in `interval`:
  /// the place to flush output and tell of drops. Gives the reason to end the run, if
  /// there is one: ByReader or ByFullBuffer.
  std::function<std::optional<Ended>()> pause;
  /// Told how many records were not given, where they could not be within the time
  /// that a signal leaves.
  std::function<void(std::uint64_t)> given_up;
  /// Called when all records but END's have been given.
  std::function<void()> over;
  std::chrono::milliseconds interval{1000};
  /// How often it is looked whether the program called exit(), should nothing tell.
  std::chrono::milliseconds status_interval{1000};
  /// Whether records wait for the interval's end instead of being taken as they come.
  bool gathers = false;
};

/// Attaches, runs BEGIN, traces, and runs END: whatever ends the run, END runs and
/// every record that was made is taken or, after a signal and if that takes longer than
/// patience_after_signal, told to be given up. Another signal ends the taking. Probes
/// stay attached (but inactive), so that losses can be read; the caller detaches.
/// target: let go once tracing has begun; may be null. Errors: attaching was refused;
/// the target could not be run.
Result<Ended> trace(Running& running, StopSignals& signals, Target* target,
                    const RecordSink& sink);

}  // namespace kinst::session
