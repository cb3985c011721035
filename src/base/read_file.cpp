#include "base/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "base/file_descriptor.h"

namespace kinst {

Result<std::string> read_file(const std::string& path) {
  constexpr std::size_t room_factor = 8;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error("read " + path, errno);
  }
  std::string out;
  // Memory is touched once only: growing in place of this, megabytes of /proc/kallsyms
  // would be moved and zeroed several times, which took half as long as reading them.
  std::array<char, std::size_t{1} << 16U> part;  // NOLINT(*-member-init): read fills it
  while (true) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return system_error("read " + path, errno);
    }
    if (got == 0) {
      return out;
    }
    if (out.capacity() - out.size() < static_cast<std::size_t>(got)) {
      out.reserve(std::max(out.capacity() * room_factor, part.size()));
    }
    out.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace kinst
