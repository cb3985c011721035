// What a process has mapped, from /proc/PID/maps.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst::user {

/// One line of /proc/PID/maps.
struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t file_offset = 0;  ///< of `begin`, bytes
  bool is_executable = false;
  std::string device;  ///< "fe:00"; with the inode it tells files apart
  std::uint64_t inode = 0;
  /// As the process's mount namespace names it, without " (deleted)"; "[vdso]" and its
  /// kind; empty for anonymous memory.
  std::string path;
  /// The file was removed, or replaced, after it was mapped.
  bool is_deleted = false;

  [[nodiscard]] bool is_file() const { return !path.empty() && path.front() == '/'; }
  bool operator==(const Mapping&) const = default;
};

/// The mappings of a process in address order. What is behind the first 16 MB of
/// /proc/PID/maps is left out.
/// Errors: no such process, no permission.
Result<std::vector<Mapping>> read_mappings(pid_t process);

/// From the text of /proc/PID/maps; lines that are not understood are left out.
std::vector<Mapping> parse_mappings(std::string_view text);

/// A path by which this process can open the mapped file, in whatever mount namespace
/// `process` is, and even if the file was removed.
std::string openable_path(pid_t process, const Mapping& mapping);

}  // namespace kinst::user
