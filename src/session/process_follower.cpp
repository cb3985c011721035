#include "session/process_follower.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "base/file_descriptor.h"
#include "session/process_stops.h"

namespace kinst::session {
namespace {

// Waits until one of two descriptors is readable; false if `end` is.
bool wait_for(int wanted, int end) {
  std::array<pollfd, 2> waits = {{{.fd = wanted, .events = POLLIN, .revents = 0},
                                  {.fd = end, .events = POLLIN, .revents = 0}}};
  while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits[1].revents == 0;
}

}  // namespace

struct ProcessFollower::Work {
  Running* running;
  AwaitedProbes awaited;
  Listener listener;
  ProcessStops stops;
  FileDescriptor end;       ///< readable when the thread is to end
  std::set<pid_t> waiting;  ///< for libraries
  bool has_told_full = false;
  std::atomic<bool> is_ending = false;
  std::thread thread;

  [[nodiscard]] ProgressReport progress() const {
    return [this](std::size_t, std::size_t) {
      return is_ending ? Progress::Stop : Progress::Continue;
    };
  }

  // Reports a failure, unless the thread is ending or the process has ended.
  template <typename Outcome>
  void tell_failure(pid_t process, std::string_view what,
                    const Outcome& outcome) const {
    if (!outcome && !is_ending && ::kill(process, 0) == 0) {
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
    const auto refused = running->attach_later(probes, listener.probe, progress());
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
          running->attach_anew(stop.process, progress()));
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
    while (wait_for(stops.descriptor(), end.get())) {
      for (const Stop& stop : stops.take()) {
        follow(stop);
        stops.let_go(stop.process);
      }
    }
  }
};

ProcessFollower::ProcessFollower(std::unique_ptr<Work> work) : work_(std::move(work)) {}

ProcessFollower::ProcessFollower(ProcessFollower&&) noexcept = default;

Result<ProcessFollower> ProcessFollower::make(Running& running,
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
  FileDescriptor end(eventfd(0, EFD_CLOEXEC));
  if (!end) {
    return system_error("follow processes", errno);
  }
  ProcessFollower follower(
      std::unique_ptr<Work>(new Work{.running = &running,
                                     .awaited = std::move(awaited),
                                     .listener = std::move(listener),
                                     .stops = std::move(stops),
                                     .end = std::move(end),
                                     .waiting = std::move(waiting),
                                     .thread = {}}));
  for (const pid_t process : follower.work_->waiting) {
    follower.work_->find_linker(process);
  }
  return follower;
}

ProcessFollower::~ProcessFollower() {
  if (work_ && work_->thread.joinable()) {
    work_->is_ending = true;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written =
        ::write(work_->end.get(), &one, sizeof one);
    work_->thread.join();
  }
}

void ProcessFollower::begin() {
  // Signals are to be delivered to the other threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  work_->thread = std::thread([work = work_.get()] { work->run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace kinst::session
