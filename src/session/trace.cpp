// The loop: wait, take records, look whether it is over.
#include "session/trace.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "session/progress_line.h"

namespace kinst::session {
namespace {

using Clock = std::chrono::steady_clock;

// After which time a run is not one of those that end at once.
constexpr std::chrono::seconds short_run(1);

// Waits for something to happen and takes what records there are, if they are not to be
// gathered until `due`. The reason why the run is over, if it is.
Result<std::optional<Ended>> step(Running& running, StopSignals& signals,
                                  const Target* target, const RecordSink& sink,
                                  Clock::time_point& due) {
  const std::array descriptors{sink.gathers ? -1 : running.descriptor(),
                               signals.descriptor(),
                               target == nullptr ? -1 : target->descriptor()};
  const auto ready = KINST_TRY(
      bpf::wait_readable(std::span(descriptors).first(target == nullptr ? 2 : 3),
                         std::min(sink.interval, sink.status_interval)));
  const bool is_told = ready[1] || (target != nullptr && ready[2]);
  if (sink.gathers && Clock::now() < due && !is_told && !running.is_exiting()) {
    return std::optional<Ended>{};
  }
  due = Clock::now() + sink.interval;
  running.drain(sink.record);
  const std::optional<Ended> given_up = sink.pause();
  if (running.is_exiting()) {
    return std::optional(Ended::ByExit);
  }
  if (ready[1] && signals.take()) {
    return std::optional(Ended::BySignal);
  }
  if (target != nullptr && ready[2]) {
    return std::optional(Ended::ByTarget);
  }
  return given_up;
}

Result<Ended> follow(Running& running, StopSignals& signals, Target* target,
                     const RecordSink& sink) {
  if (target != nullptr) {
    KINST_CHECK(target->let_go());
  }
  const Clock::time_point begin = Clock::now();
  Clock::time_point due = begin + sink.interval;
  while (true) {
    if (Clock::now() - begin >= short_run) {
      running.let_optimize();
    }
    const auto ended = KINST_TRY(step(running, signals, target, sink, due));
    if (ended) {
      return *ended;
    }
  }
}

// Everything between attaching and END.
Result<Ended> begin_and_follow(Running& running, StopSignals& signals, Target* target,
                               const RecordSink& sink) {
  KINST_CHECK(running.run_own(provider::OwnProbe::Begin));
  // Before what BEGIN recorded is acted upon: what system() runs may be traced.
  running.set_active(!running.is_exiting());
  running.drain(sink.record);
  const std::optional<Ended> given_up = sink.pause();
  if (running.is_exiting()) {
    return Ended::ByExit;
  }
  if (given_up) {
    return *given_up;
  }
  return follow(running, signals, target, sink);
}

}  // namespace

Result<Ended> trace(Running& running, StopSignals& signals, Target* target,
                    const RecordSink& sink) {
  bool was_interrupted = signals.take();
  if (!was_interrupted) {
    ProgressLine line("attaching");
    const auto attached = running.attach([&](std::size_t done, std::size_t all) {
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
                               : begin_and_follow(running, signals, target, sink);
  running.set_active(false);
  running.drain(sink.record);
  sink.over();
  KINST_CHECK(running.run_own(provider::OwnProbe::End));
  running.drain(sink.record);
  sink.pause();
  return ended;
}

}  // namespace kinst::session
