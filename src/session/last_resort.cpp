// Watches from a thread that only waits. A timer's signal would interrupt the kernel's
// verifier, which gives up when a signal comes (kernel/bpf/verifier.c, do_check).
#include "session/last_resort.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "base/file_descriptor.h"
#include "base/stop_signals.h"

namespace kinst::session {
namespace {

constexpr std::chrono::milliseconds look{50};

// Ends the process by its pending stop signal. All signals are blocked in this thread,
// so the pending signal is delivered here once it is unblocked. Its action is set to
// the default first: the parent may have had this process ignore it, as shells do in
// the background, and the signal would be lost. Returns if another thread has taken the
// signal meanwhile.
void end_by_signal() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  for (const int signal : stop_signals) {
    if (sigismember(&pending, signal) == 1) {
      ::signal(signal, SIG_DFL);
    }
  }
  pthread_sigmask(SIG_UNBLOCK, &pending, nullptr);
  pthread_sigmask(SIG_BLOCK, &pending, nullptr);
}

// Waits until a signal comes; false at the end of the thread.
bool wait_for_signal(int signals, int end) {
  std::array<pollfd, 2> waits = {{{.fd = signals, .events = POLLIN, .revents = 0},
                                  {.fd = end, .events = POLLIN, .revents = 0}}};
  while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits[1].revents == 0;
}

}  // namespace

struct LastResort::Watch {
  FileDescriptor signals;
  FileDescriptor end;  ///< readable when the thread is to end
  std::atomic<std::chrono::milliseconds> patience{while_idle};

  void run() const {
    while (wait_for_signal(signals.get(), end.get())) {
      // The time is counted in polls, not by the clock: if the machine stood still, the
      // other threads stood still, too.
      std::chrono::milliseconds waited{0};
      pollfd over{.fd = end.get(), .events = POLLIN, .revents = 0};
      while (is_stop_pending()) {
        const auto limit = was_stop_noted() ? std::max(patience.load(), while_ending)
                                            : patience.load();
        if (waited >= limit) {
          end_by_signal();
        }
        if (poll(&over, 1, static_cast<int>(look.count())) == 1) {
          return;
        }
        waited += look;
      }
    }
  }
};

LastResort::LastResort(std::unique_ptr<Watch> watch) : watch_(std::move(watch)) {}

Result<LastResort> LastResort::start() {
  LastResort made(std::make_unique<Watch>());
  Watch& watch = *made.watch_;
  watch.signals = stop_signal_descriptor();
  watch.end = FileDescriptor(eventfd(0, EFD_CLOEXEC));
  if (!watch.signals || !watch.end) {
    made.watch_.reset();
    return system_error("watch for signals", errno);
  }
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failure = pthread_create(
      &made.thread_, nullptr,
      [](void* watched) -> void* {
        static_cast<const Watch*>(watched)->run();
        return nullptr;
      },
      &watch);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failure != 0) {
    made.watch_.reset();
    return system_error("watch for signals", failure);
  }
  return made;
}

LastResort::~LastResort() {
  if (watch_) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written =
        ::write(watch_->end.get(), &one, sizeof one);
    pthread_join(thread_, nullptr);
  }
}

LastResort::LastResort(LastResort&&) noexcept = default;

void LastResort::set_patience(std::chrono::milliseconds patience) {
  watch_->patience.store(patience);
}

}  // namespace kinst::session
