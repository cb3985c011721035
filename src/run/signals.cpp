// signalfd(2): the signals wait in the kernel until they are read.
#include "run/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/system/stop_signals.h"

namespace kinst::run {
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
  sigset_t before;
  sigemptyset(&before);
  sigprocmask(SIG_BLOCK, &set, &before);
  FileDescriptor descriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!descriptor) {
    return system_error("receive signals", errno);
  }
  return StopSignals(std::move(descriptor), before);
}

StopSignals::~StopSignals() {
  if (descriptor_) {
    static_cast<void>(take());
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
}

bool StopSignals::take() {
  bool has_come = false;
  signalfd_siginfo info{};
  while (::read(descriptor_.get(), &info, sizeof info) == sizeof info) {
    has_come = true;
  }
  if (has_come) {
    note_stop();
  }
  return has_come;
}

}  // namespace kinst::run
