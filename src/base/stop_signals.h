// SIGINT, SIGTERM and SIGHUP as a question that whatever blocks may ask.
#pragma once

#include <array>
#include <chrono>
#include <csignal>

#include "base/file_descriptor.h"

namespace kinst {

inline constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP};

/// How long what blocks goes on once a stop signal waits: long enough for what is about
/// to be done anyway, and short enough for whoever wants the command to end.
constexpr std::chrono::seconds patience_after_signal{1};

/// Whether a stop signal waits for this process. Only where these are blocked
/// (session/signals.h) do they wait; elsewhere they end the process, and nobody asks.
bool is_stop_pending();

/// Whether the process is to end soon: a stop signal waits, or one was taken and
/// note_stop() says so. From then on what blocks gives up after a while.
bool is_ending();

/// Whether note_stop() was called: somebody acts on the signal, even if it still waits.
bool was_stop_noted();

/// A stop signal was taken, or was seen by what ends because of it. It is a fact about
/// the process, as its signals are, and is never undone: the only state of this kind.
void note_stop();

/// Readable while a stop signal waits; reading it is not needed. Errors: an empty one.
FileDescriptor stop_signal_descriptor();

/// While it lives, calls that block return with EINTR every 100 ms, so that they can be
/// given up without a moment in which a signal would be missed. By SIGALRM: one of
/// these at a time, and in one thread.
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
