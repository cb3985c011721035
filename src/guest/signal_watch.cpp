#include "guest/signal_watch.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

namespace kinst::guest {

Result<SignalWatch> SignalWatch::start() {
  SignalWatch watch;
  sigset_t watched;
  ::sigemptyset(&watched);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaddset(&watched, number);
  }
  watch.signals_ = FileDescriptor(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!watch.signals_) {
    return system_error("watch for signals", errno);
  }
  ::pthread_sigmask(SIG_BLOCK, &watched, &watch.mask_before_);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &watch.pipe_before_);
  return watch;
}

SignalWatch::~SignalWatch() {
  if (signals_) {
    ::sigaction(SIGPIPE, &pipe_before_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
}

std::optional<int> SignalWatch::take() const {
  signalfd_siginfo information{};
  if (::read(signals_.get(), &information, sizeof(information)) !=
      sizeof(information)) {
    return std::nullopt;
  }
  return static_cast<int>(information.ssi_signo);
}

const char* signal_name(int number) {
  switch (number) {
    case SIGINT:
      return "INT";
    case SIGHUP:
      return "HUP";
    default:
      return "TERM";
  }
}

}  // namespace kinst::guest
