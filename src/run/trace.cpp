// The main loop of a run: waits, takes records, checks whether the run is over.
#include "run/trace.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include "base/system/stop_signals.h"
#include "compile/progress_line.h"

namespace kinst::run {
namespace {

using Clock = std::chrono::steady_clock;

// A run that lasts this long is not one of those that end at once.
constexpr std::chrono::seconds short_run(1);

// Records may come faster than they can be printed. After this time of taking records,
// output is written and signals are checked.
constexpr std::chrono::milliseconds at_a_stretch(50);

// Takes records until none is left or until at_a_stretch has passed. Returns whether
// some are left.
bool take_some(Enabling& enabling, const RecordSink& sink) {
  const Clock::time_point end = Clock::now() + at_a_stretch;
  while (Clock::now() < end) {
    // Takes one record at a time, because a record may ask for something that takes
    // long, such as a command of system().
    if (enabling.drain(sink.record, 1) == 0) {
      return false;
    }
  }
  return true;
}

// When records are to be taken next.
struct Pace {
  Clock::time_point due;
  bool are_some_left = false;
};

// Waits for something to happen and takes the records that are there, unless they are
// to be gathered until they are due. Returns the reason why the run is over, if it is.
Result<std::optional<Ended>> step(Enabling& enabling, StopSignals& signals,
                                  const Target* target, const RecordSink& sink,
                                  Pace& pace) {
  const std::array descriptors{sink.gathers ? -1 : enabling.descriptor(),
                               signals.descriptor(),
                               target == nullptr ? -1 : target->descriptor()};
  const auto ready = KINST_TRY(bpf::wait_readable(
      std::span(descriptors).first(target == nullptr ? 2 : 3),
      pace.are_some_left ? std::chrono::milliseconds(0)
                         : std::min(sink.interval, sink.status_interval)));
  const bool is_told = ready[1] || (target != nullptr && ready[2]);
  if (sink.gathers && !pace.are_some_left && Clock::now() < pace.due && !is_told &&
      !enabling.is_exiting()) {
    return std::optional<Ended>{};
  }
  pace.are_some_left = take_some(enabling, sink);
  if (!pace.are_some_left) {
    pace.due = Clock::now() + sink.interval;
  }
  const std::optional<Ended> given_up = sink.pause();
  if (enabling.is_exiting()) {
    return std::optional(Ended::ByExit);
  }
  if (signals.take()) {
    return std::optional(Ended::BySignal);
  }
  if (target != nullptr && ready[2]) {
    return std::optional(Ended::ByTarget);
  }
  return given_up;
}

Result<Ended> follow(Enabling& enabling, StopSignals& signals, Target* target,
                     const RecordSink& sink) {
  if (target != nullptr) {
    KINST_CHECK(target->let_go());
  }
  const Clock::time_point begin = Clock::now();
  Pace pace{.due = begin + sink.interval};
  while (true) {
    if (Clock::now() - begin >= short_run) {
      enabling.let_optimize();
    }
    const auto ended = KINST_TRY(step(enabling, signals, target, sink, pace));
    if (ended) {
      return *ended;
    }
  }
}

// Everything between attaching and END.
Result<Ended> begin_and_follow(Enabling& enabling, StopSignals& signals, Target* target,
                               const RecordSink& sink) {
  KINST_CHECK(enabling.run_dtrace_probe(provider::DtraceProbe::Begin));
  // Probes become active before BEGIN's records are handled, because what system() runs
  // there may be traced.
  enabling.set_active(!enabling.is_exiting());
  take_some(enabling, sink);
  const std::optional<Ended> given_up = sink.pause();
  if (enabling.is_exiting()) {
    return Ended::ByExit;
  }
  if (given_up) {
    return *given_up;
  }
  return follow(enabling, signals, target, sink);
}

// Takes the records that are left after recording has stopped, which has an end. Stops
// at the deadline, when nobody reads the output, or at a signal after the one that set
// the deadline. Records that are given up are counted.
void take_rest(Enabling& enabling, StopSignals& signals, const RecordSink& sink,
               std::optional<Clock::time_point> deadline) {
  constexpr std::chrono::milliseconds nap(1);
  Clock::time_point taken = Clock::now();
  while (true) {
    const bool are_some_left = take_some(enabling, sink);
    const std::optional<Ended> given_up = sink.pause();
    // A record that a CPU has not finished holds up the records behind it.
    if (!are_some_left && enabling.is_drained()) {
      return;
    }
    const Clock::time_point now = Clock::now();
    taken = are_some_left ? now : taken;
    if (signals.take()) {
      deadline = deadline ? now : now + patience_after_signal;
    }
    const bool is_too_late = (deadline && now >= *deadline) ||
                             now - taken >= patience_after_signal ||
                             given_up == Ended::ByReader;
    if (is_too_late) {
      sink.given_up(enabling.drain([](std::span<const std::byte>) {}, SIZE_MAX));
      return;
    }
    if (!are_some_left) {
      std::this_thread::sleep_for(nap);
    }
  }
}

}  // namespace

Result<Ended> trace(Enabling& enabling, StopSignals& signals, Target* target,
                    const RecordSink& sink) {
  bool was_interrupted = signals.take();
  if (!was_interrupted) {
    compile::ProgressLine line("attaching");
    const auto attached = enabling.attach([&](std::size_t done, std::size_t all) {
      was_interrupted = was_interrupted || signals.take();
      line.show(done, all);
      return was_interrupted ? Progress::Stop : Progress::Continue;
    });
    line.clear();
    if (!attached && !was_interrupted) {
      return tl::unexpected(attached.error());
    }
    if (attached) {
      sink.refused(*attached);
    }
  }
  auto ended = was_interrupted ? Result<Ended>(Ended::BySignal)
                               : begin_and_follow(enabling, signals, target, sink);
  enabling.set_active(false);
  const bool is_urgent = ended && *ended == Ended::BySignal;
  take_rest(
      enabling, signals, sink,
      is_urgent ? std::optional(Clock::now() + patience_after_signal) : std::nullopt);
  sink.over();
  KINST_CHECK(enabling.run_dtrace_probe(provider::DtraceProbe::End));
  take_rest(enabling, signals, sink, std::nullopt);
  return ended;
}

}  // namespace kinst::run
