// A path is first opened with O_PATH, which has no effect on the file there. The file
// is checked, and then opened for reading through /proc/self/fd, so that nobody can
// replace it in between.
#include "base/system/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/system/read_file.h"

namespace kinst {
namespace {

// File systems whose files are questions to the kernel, although they are "regular".
// Those that <linux/magic.h> of older systems lacks are written out.
constexpr auto question_file_systems = std::to_array<std::uint32_t>({
    PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC,
    SELINUX_MAGIC, SMACK_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
    RDTGROUP_SUPER_MAGIC, EFIVARFS_MAGIC, PSTOREFS_MAGIC, BPF_FS_MAGIC, BINFMTFS_MAGIC,
    NSFS_MAGIC,
    0x62656570,  // configfs
    0x5a3c69f0,  // AppArmor
});

// Why a place is not to be read; empty if it may be.
std::string_view why_not(int place, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    return "it is not a regular file";
  }
  struct statfs system {};
  if (::fstatfs(place, &system) != 0) {
    return "its file system is unknown";
  }
  return std::ranges::find(question_file_systems,
                           static_cast<std::uint32_t>(system.f_type)) ==
                 question_file_systems.end()
             ? ""
             : "it is on a file system that stores no files";
}

FileIdentity identity_of(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size_bytes = static_cast<std::uint64_t>(status.st_size),
          .modified_s = status.st_mtim.tv_sec,
          .modified_ns = status.st_mtim.tv_nsec,
          .changed_s = status.st_ctim.tv_sec,
          .changed_ns = status.st_ctim.tv_nsec};
}

}  // namespace

Result<RegularFile> RegularFile::from_place(FileDescriptor place,
                                            const std::string& path) {
  struct stat status {};
  if (::fstat(place.get(), &status) != 0) {
    return system_error("read " + path, errno);
  }
  if (const auto reason = why_not(place.get(), status); !reason.empty()) {
    return error("cannot read {}: {}", path, reason);
  }
  // O_NONBLOCK: a lease of the file's owner would let this wait (fcntl(2), F_SETLEASE).
  FileDescriptor file(::open(fmt::format("/proc/self/fd/{}", place.get()).c_str(),
                             O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) {
    return system_error("read " + path, errno);
  }
  return RegularFile(std::move(file), identity_of(status));
}

Result<RegularFile> RegularFile::open(const std::string& path) {
  FileDescriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place) {
    return system_error("read " + path, errno);
  }
  return from_place(std::move(place), path);
}

Result<RegularFile> RegularFile::open_below(const std::string& root,
                                            const std::string& path) {
  const FileDescriptor top(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!top) {
    return system_error("read " + root + path, errno);
  }
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  FileDescriptor place(static_cast<int>(
      ::syscall(SYS_openat2, top.get(), path.c_str(), &how, sizeof how)));
  if (!place) {
    return system_error("read " + root + path, errno);
  }
  return from_place(std::move(place), root + path);
}

Result<void> RegularFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (KINST_TRY(read_at(descriptor_.get(), offset, out, "a file")) != out.size()) {
    return error("cannot read a file: it ends before byte {:#x}", offset + out.size());
  }
  return {};
}

}  // namespace kinst
