#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/write_all.h"

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
  if (const int problem = write_all(descriptor, text); problem != 0) {
    return system_error("write the output", problem);
  }
  return {};
}

Result<void> write_output(std::string_view text) {
  return write_output(STDOUT_FILENO, text);
}

}  // namespace kinst
