#include "base/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>

#include "base/file_descriptor.h"

namespace kinst {

Result<std::string> read_file(const std::string& path) {
  constexpr std::size_t least_room = std::size_t{1} << 16U;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error("read " + path, errno);
  }
  std::string out;
  std::size_t used = 0;
  while (true) {
    // Files of /proc give a page at a time, however much is asked for, so room is made
    // rarely and in growing steps.
    if (out.size() - used < least_room) {
      out.resize(2 * out.size() + least_room);
    }
    const ssize_t got = ::read(file.get(), out.data() + used, out.size() - used);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return system_error("read " + path, errno);
    }
    if (got == 0) {
      out.resize(used);
      return out;
    }
    used += static_cast<std::size_t>(got);
  }
}

}  // namespace kinst
