#include "base/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace kinst {

void hold_standard_descriptors() {
  struct Held {
    int descriptor;
    int flags;
  };
  // In this order: open() takes the lowest number. What opened it last closes it, at
  // the end of the process.
  for (const Held held : {Held{STDIN_FILENO, O_WRONLY}, Held{STDOUT_FILENO, O_RDONLY},
                          Held{STDERR_FILENO, O_RDWR}}) {
    if (::fcntl(held.descriptor, F_GETFD) < 0 && errno == EBADF) {
      static_cast<void>(::open("/dev/null", held.flags));
    }
  }
}

void write_error(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

Result<void> write_output(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd wanted{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&wanted, 1, -1);
    } else if (errno != EINTR) {
      return system_error("write the output", errno);
    }
  }
  return {};
}

Result<void> write_output(std::string_view text) {
  return write_output(STDOUT_FILENO, text);
}

}  // namespace kinst
