#include "base/system/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/system/write_all.h"
#include "base/text/printable.h"

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
  write_error_as_is(printable(text, KeptControls::Lines));
}

void write_error_as_is(std::string_view text) {
  // Static, because the stream belongs to the process: if its reader takes nothing, the
  // process waits for it once only.
  static std::atomic<bool> is_given_up{false};
  if (!is_given_up && write_all(STDERR_FILENO, text) == ETIMEDOUT) {
    is_given_up = true;
  }
}

Result<void> write_output(int descriptor, std::string_view text) {
  const int problem = write_all(descriptor, text);
  if (problem == ETIMEDOUT) {
    return error(
        "cannot write the output: its reader takes nothing; what was left of it "
        "is lost");
  }
  if (problem != 0) {
    return system_error("write the output", problem);
  }
  return {};
}

Result<void> write_output(std::string_view text) {
  return write_output(STDOUT_FILENO, text);
}

}  // namespace kinst
