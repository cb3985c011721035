#include "base/system/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "base/system/file_descriptor.h"

namespace kinst {

Result<std::string> read_all(int file, std::string_view what, std::size_t most_bytes) {
  constexpr std::size_t room_factor = 8;
  std::string out;
  // The memory is touched only once. Growing the string step by step would move and
  // zero megabytes of /proc/kallsyms several times, which took half as long as reading
  // them.
  std::array<char, std::size_t{1} << 16U> part;  // NOLINT(*-member-init): read fills it
  while (true) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return system_error(fmt::format("read {}", what), errno);
    }
    if (got == 0) {
      return out;
    }
    if (static_cast<std::size_t>(got) > most_bytes - out.size()) {
      return error("cannot read {}: it has more than {} bytes", what, most_bytes);
    }
    if (out.capacity() - out.size() < static_cast<std::size_t>(got)) {
      out.reserve(std::max(out.capacity() * room_factor, part.size()));
    }
    out.append(part.data(), static_cast<std::size_t>(got));
  }
}

Result<std::string> read_file(const std::string& path, std::size_t most_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error("read " + path, errno);
  }
  return read_all(file.get(), path, most_bytes);
}

Result<std::size_t> read_at(int file, std::uint64_t offset, std::span<std::byte> out,
                            std::string_view what) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(file, out.data() + done, out.size() - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return system_error(fmt::format("read {}", what), errno);
    }
    if (got == 0) {
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace kinst
