#include "base/system/worker_thread.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>

namespace kinst {

WorkerThread::WorkerThread() : end_(eventfd(0, EFD_CLOEXEC)), refusal_(errno) {}

WorkerThread::~WorkerThread() {
  if (thread_.joinable()) {
    is_ending_ = true;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(end_.get(), &one, sizeof one);
    thread_.join();
  }
}

Result<void> WorkerThread::start(std::string_view purpose, std::function<void()> work) {
  if (!end_) {
    return system_error(purpose, refusal_);
  }
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure = 0;
  try {
    thread_ = std::thread(std::move(work));
  } catch (const std::system_error& refused) {
    failure = refused.code().value();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failure != 0) {
    return system_error(purpose, failure);
  }
  return {};
}

bool WorkerThread::wait_for(int descriptor) const {
  std::array<pollfd, 2> waits = {{{.fd = descriptor, .events = POLLIN, .revents = 0},
                                  {.fd = end_.get(), .events = POLLIN, .revents = 0}}};
  while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits[1].revents == 0;
}

bool WorkerThread::pause(std::chrono::milliseconds duration) const {
  pollfd over{.fd = end_.get(), .events = POLLIN, .revents = 0};
  return poll(&over, 1, static_cast<int>(duration.count())) != 1;
}

}  // namespace kinst
