// signalfd(2): the signals wait in the kernel until they are read.
#include "session/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace kinst::session {
namespace {

// nohup(1) has a command ignore the end of its terminal.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM}) {
    sigaddset(&set, signal);
  }
  if (!is_ignored(SIGHUP)) {
    sigaddset(&set, SIGHUP);
  }
  return set;
}

}  // namespace

Result<StopSignals> StopSignals::block() {
  const sigset_t set = stop_signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  FileDescriptor descriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!descriptor) {
    return system_error("receive signals", errno);
  }
  return StopSignals(std::move(descriptor));
}

bool StopSignals::has_come() {
  signalfd_siginfo info{};
  while (::read(descriptor_.get(), &info, sizeof info) == sizeof info) {
    has_come_ = true;
  }
  return has_come_;
}

bool StopSignals::take() {
  static_cast<void>(has_come());
  return std::exchange(has_come_, false);
}

void unblock_stop_signals() {
  const sigset_t set = stop_signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace kinst::session
