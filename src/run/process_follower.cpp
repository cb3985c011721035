#include "run/process_follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/system/worker_thread.h"
#include "run/process_stops.h"

namespace kinst::run {

struct ProcessFollower::Work {
  Enabling* enabling;
  AwaitedProbes awaited;
  Listener listener;
  ProcessStops stops;
  std::set<pid_t> waiting;  ///< for libraries
  bool has_told_full = false;
  WorkerThread thread;  ///< uses all of the above

  [[nodiscard]] ProgressReport progress() const {
    return [this](std::size_t, std::size_t) {
      return thread.is_ending() ? Progress::Stop : Progress::Continue;
    };
  }

  // Reports a failure, unless the thread is ending or the process has ended.
  template <typename Outcome>
  void tell_failure(pid_t process, std::string_view what,
                    const Outcome& outcome) const {
    if (!outcome && !thread.is_ending() && ::kill(process, 0) == 0) {
      listener.failure(
          fmt::format("process {} {}: {}", process, what, outcome.error().message));
    }
  }

  // Attaches the probes in the code that the process has loaded since the last look.
  void look(pid_t process) {
    std::vector<LaterProbe> probes = awaited.look(process);
    if (awaited.is_full() && !std::exchange(has_told_full, true)) {
      listener.failure(
          fmt::format("process {} loads more code with probes than is taken: what "
                      "comes from now on "
                      "has none",
                      process));
    }
    if (probes.empty()) {
      return;
    }
    std::map<std::string, std::size_t> by_object;
    for (const LaterProbe& one : probes) {
      ++by_object[one.probe.module];
    }
    const auto refused = enabling->attach_later(probes, listener.probe, progress());
    tell_failure(process, "has loaded code with probes that cannot be attached",
                 refused);
    for (const auto& [object, count] : by_object) {
      listener.gain(fmt::format("process {} has loaded {}: {} probe{}{}", process,
                                object, count, count == 1 ? "" : "s",
                                refused && refused->empty() ? "" : ", some refused"));
    }
  }

  void find_linker(pid_t process) {
    if (const auto place = awaited.linker(process)) {
      tell_failure(process, "cannot be watched for libraries that it loads",
                   stops.set_linker(process, *place));
    }
  }

  void follow(const Stop& stop) {
    listener.change(stop.process);
    if (stop.reason == StopReason::ExecutedByOther) {
      tell_failure(
          stop.process,
          "is not traced any more as it was, since a thread of it that was not "
          "the first has executed a program",
          enabling->attach_anew(stop.process, progress()));
    }
    if (waiting.contains(stop.process)) {
      if (stop.reason != StopReason::Loaded) {
        find_linker(stop.process);
      }
      look(stop.process);
    }
  }

  void run() {
    std::ranges::for_each(waiting, [this](pid_t process) { look(process); });
    while (thread.wait_for(stops.descriptor())) {
      for (const Stop& stop : stops.take()) {
        follow(stop);
        stops.let_go(stop.process);
      }
    }
  }
};

ProcessFollower::ProcessFollower(std::unique_ptr<Work> work) : work_(std::move(work)) {}

ProcessFollower::ProcessFollower(ProcessFollower&&) noexcept = default;

Result<ProcessFollower> ProcessFollower::make(Enabling& enabling,
                                              std::set<pid_t> processes,
                                              AwaitedProbes awaited,
                                              Listener listener) {
  std::set<pid_t> waiting = awaited.processes();
  processes.insert(waiting.begin(), waiting.end());
  std::map<pid_t, bool> watched;
  for (const pid_t process : processes) {
    watched.emplace(process, waiting.contains(process));
  }
  ProcessStops stops = KINST_TRY(ProcessStops::start(watched));
  ProcessFollower follower(
      std::unique_ptr<Work>(new Work{.enabling = &enabling,
                                     .awaited = std::move(awaited),
                                     .listener = std::move(listener),
                                     .stops = std::move(stops),
                                     .waiting = std::move(waiting),
                                     .thread = {}}));
  for (const pid_t process : follower.work_->waiting) {
    follower.work_->find_linker(process);
  }
  return follower;
}

ProcessFollower::~ProcessFollower() = default;

void ProcessFollower::begin() {
  const auto started =
      work_->thread.start("follow processes", [work = work_.get()] { work->run(); });
  if (!started) {
    work_->listener.failure(started.error().message);
  }
}

}  // namespace kinst::run
