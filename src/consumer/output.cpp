#include "consumer/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace kinst::consumer {

Result<void> Output::flush() {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const ssize_t count = ::write(current(), rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd wanted{.fd = current(), .events = POLLOUT, .revents = 0};
      ::poll(&wanted, 1, -1);
    } else if (errno != EINTR) {
      const int number = errno;
      text_.clear();
      return system_error("write the output", number);
    }
  }
  text_.clear();
  return {};
}

Result<void> Output::reopen(const std::string& path) {
  KINST_CHECK(flush());
  if (path.empty()) {
    file_.reset();
    return {};
  }
  constexpr mode_t mode = 0666;
  FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode));
  if (!file) {
    return system_error("open " + path, errno);
  }
  file_ = std::move(file);
  return {};
}

void Output::truncate() {
  text_.clear();
  // Refused for terminals and pipes, where there is nothing to take back.
  if (::ftruncate(current(), 0) == 0) {
    ::lseek(current(), 0, SEEK_SET);
  }
}

}  // namespace kinst::consumer
