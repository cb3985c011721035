#include "base/write_all.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace kinst {

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd wanted{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&wanted, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace kinst
