#include "consumer/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/standard_streams.h"

namespace kinst::consumer {

Result<void> Output::flush() {
  auto written = write_output(current(), text_);
  text_.clear();
  return written;
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
