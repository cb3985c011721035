// signalfd(2): the signals wait in the kernel until they are read.
#include "session/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace kinst::session {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&set, signal);
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

bool StopSignals::take() {
  bool came = false;
  signalfd_siginfo info{};
  while (::read(descriptor_.get(), &info, sizeof info) == sizeof info) {
    came = true;
  }
  return came;
}

void unblock_stop_signals() {
  const sigset_t set = stop_signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace kinst::session
