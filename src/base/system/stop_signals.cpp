#include "base/system/stop_signals.h"

#include <sys/signalfd.h>
#include <sys/time.h>

#include <atomic>

namespace kinst {
namespace {

std::atomic<bool> was_stopped{false};

void set_interval(suseconds_t microseconds) {
  const timeval interval{.tv_sec = 0, .tv_usec = microseconds};
  const itimerval timer{.it_interval = interval, .it_value = interval};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

bool is_stop_pending() {
  sigset_t pending;
  sigemptyset(&pending);
  if (sigpending(&pending) != 0) {
    return false;
  }
  bool is_any = false;
  for (const int signal : stop_signals) {
    is_any = is_any || sigismember(&pending, signal) == 1;
  }
  return is_any;
}

bool is_ending() {
  return was_stop_noted() || is_stop_pending();
}

bool was_stop_noted() {
  return was_stopped.load(std::memory_order_relaxed);
}

void note_stop() {
  was_stopped.store(true, std::memory_order_relaxed);
}

FileDescriptor stop_signal_descriptor() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stop_signals) {
    sigaddset(&set, signal);
  }
  return FileDescriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

Nudges::Nudges() {
  struct sigaction nudge {};  // without SA_RESTART
  nudge.sa_handler = [](int /*signal*/) {};
  ::sigaction(SIGALRM, &nudge, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  constexpr suseconds_t pause_us = 100'000;
  set_interval(pause_us);
}

// The handler stays: a last alarm that is under way must not end the process.
Nudges::~Nudges() {
  set_interval(0);
}

}  // namespace kinst
