// Watches from a thread that only waits. A timer's signal would interrupt the kernel's
// verifier, which gives up when a signal comes (kernel/bpf/verifier.c, do_check).
#include "run/last_resort.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/system/file_descriptor.h"
#include "base/system/stop_signals.h"
#include "base/system/worker_thread.h"

namespace kinst::run {
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

}  // namespace

struct LastResort::Watch {
  FileDescriptor signals;
  std::atomic<std::chrono::milliseconds> patience{while_idle};
  WorkerThread thread;  ///< uses all of the above

  void run() const {
    while (thread.wait_for(signals.get())) {
      // The time is counted in looks, not by the clock: if the machine stood still, the
      // other threads stood still, too.
      std::chrono::milliseconds waited{0};
      while (is_stop_pending()) {
        const auto limit = was_stop_noted() ? std::max(patience.load(), while_ending)
                                            : patience.load();
        if (waited >= limit) {
          end_by_signal();
        }
        if (!thread.pause(look)) {
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
  made.watch_->signals = stop_signal_descriptor();
  if (!made.watch_->signals) {
    return system_error("watch for signals", errno);
  }
  KINST_CHECK(made.watch_->thread.start("watch for signals",
                                        [watch = made.watch_.get()] { watch->run(); }));
  return made;
}

LastResort::~LastResort() = default;

LastResort::LastResort(LastResort&&) noexcept = default;

void LastResort::set_patience(std::chrono::milliseconds patience) {
  watch_->patience.store(patience);
}

}  // namespace kinst::run
