#include "base/system/open_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>

#include "base/system/stop_signals.h"

namespace kinst {
namespace {

bool is_fifo(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

Result<FileDescriptor> open_to_append(const std::string& path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  constexpr mode_t mode = 0666;
  // Checked before opening, because O_NONBLOCK can mean something else to a device.
  const bool may_wait = is_fifo(path);
  const FileDescriptor signals = stop_signal_descriptor();
  while (true) {
    FileDescriptor file(
        ::open(path.c_str(), flags | (may_wait ? O_NONBLOCK : 0), mode));
    if (file) {
      if (may_wait) {
        ::fcntl(file.get(), F_SETFL, O_APPEND);
      }
      return file;
    }
    if (errno != ENXIO || !may_wait) {
      return system_error("open " + path, errno);
    }
    // ENXIO: the FIFO has no reader yet. Only trying again tells when it has one.
    constexpr std::chrono::milliseconds pause(50);
    pollfd stop{.fd = signals.get(), .events = POLLIN, .revents = 0};
    if (is_ending() || ::poll(&stop, 1, static_cast<int>(pause.count())) == 1) {
      return error("cannot open {}: nobody reads it yet, and a signal came", path);
    }
  }
}

}  // namespace kinst
