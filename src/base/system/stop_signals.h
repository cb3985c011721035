// SIGINT, SIGTERM and SIGHUP, the stop signals, as a condition that a blocking
// operation can query.
#pragma once

#include <array>
#include <chrono>
#include <csignal>

#include "base/system/file_descriptor.h"

namespace kinst {

inline constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP};

/// How long a blocking operation goes on once a stop signal is pending: long enough to
/// finish what is nearly done, and short enough for a user who wants the command to
/// end.
constexpr std::chrono::seconds patience_after_signal{1};

/// Whether a stop signal is pending for this process. Stop signals become pending only
/// where they are blocked (run/signals.h); elsewhere they end the process at once.
bool is_stop_pending();

/// Whether the process is about to end: a stop signal is pending, or note_stop() was
/// called. From then on blocking operations give up after a while.
bool is_ending();

/// Whether note_stop() was called: the process already acts on the signal, even if the
/// signal is still pending.
bool was_stop_noted();

/// Records that a stop signal was taken, or that an operation saw it pending and ends
/// because of it. This is never undone. It is the only global state of this kind, and
/// exists because it is a fact about the process, as its signals are.
void note_stop();

/// A descriptor to poll: it is readable while a stop signal is pending, and need not be
/// read. Errors: an empty descriptor.
FileDescriptor stop_signal_descriptor();

/// While this object lives, blocking system calls return with EINTR every 100 ms. The
/// caller can then check for a stop signal, with no race in which it would miss one.
/// Uses SIGALRM, so only one object may exist at a time, and only in one thread.
class Nudges {
 public:
  Nudges();
  Nudges(const Nudges&) = delete;
  Nudges& operator=(const Nudges&) = delete;
  Nudges(Nudges&&) = delete;
  Nudges& operator=(Nudges&&) = delete;
  ~Nudges();
};

}  // namespace kinst
