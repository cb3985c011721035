#include "session/process_follower.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

#include "base/file_descriptor.h"
#include "session/process_stops.h"

namespace kinst::session {
namespace {

// Waits until one is readable; whether that is the first.
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
  Tell tell;
  ProcessStops stops;
  FileDescriptor end;  ///< readable when the thread is to end
  std::atomic<bool> is_ending = false;
  std::thread thread;

  void follow(pid_t process) const {
    const auto attached = running->attach_anew(process, [&](std::size_t, std::size_t) {
      return is_ending ? Progress::Stop : Progress::Continue;
    });
    if (!attached && !is_ending && ::kill(process, 0) == 0) {
      tell(
          fmt::format("process {} is not traced any more as it was, since a thread "
                      "of it that was not the first has executed a program: {}",
                      process, attached.error().message));
    }
  }

  void run() {
    while (wait_for(stops.descriptor(), end.get())) {
      for (const pid_t process : stops.take()) {
        follow(process);
        stops.let_go(process);
      }
    }
  }
};

ProcessFollower::ProcessFollower(std::unique_ptr<Work> work) : work_(std::move(work)) {}

ProcessFollower::ProcessFollower(ProcessFollower&&) noexcept = default;

Result<ProcessFollower> ProcessFollower::make(Running& running,
                                              const std::set<pid_t>& processes,
                                              Tell tell) {
  ProcessStops stops = KINST_TRY(ProcessStops::start(processes));
  FileDescriptor end(eventfd(0, EFD_CLOEXEC));
  if (!end) {
    return system_error("follow processes", errno);
  }
  return ProcessFollower(std::unique_ptr<Work>(new Work{.running = &running,
                                                        .tell = std::move(tell),
                                                        .stops = std::move(stops),
                                                        .end = std::move(end),
                                                        .thread = {}}));
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
  // Signals are the other threads'.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  work_->thread = std::thread([work = work_.get()] { work->run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace kinst::session
