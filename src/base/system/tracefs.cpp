#include "base/system/tracefs.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "base/system/read_file.h"

namespace kinst {
namespace {

/// errno says why there is none: EACCES if one may not be read.
FileDescriptor open_mounted() {
  int cause = ENOENT;
  for (const char* path : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    FileDescriptor root(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    cause = !root && errno == EACCES ? EACCES : cause;
    struct statfs kind {};
    if (root && fstatfs(root.get(), &kind) == 0 && kind.f_type == TRACEFS_MAGIC) {
      return root;
    }
  }
  errno = cause;
  return {};
}

/// A tracefs attached to no folder: the descriptor is the only way to it.
/// errno says why there is none.
FileDescriptor open_unmounted() {
  const FileDescriptor context(
      static_cast<int>(syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC)));
  if (!context || syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr,
                          nullptr, 0) != 0) {
    return {};
  }
  return FileDescriptor(
      static_cast<int>(syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0)));
}

}  // namespace

Result<Tracefs> Tracefs::open() {
  FileDescriptor root = open_mounted();
  if (!root && errno == EACCES) {
    return error("/sys/kernel/tracing may be read by root only");
  }
  if (!root) {
    root = open_unmounted();
  }
  if (!root) {
    const int cause = errno;
    if (cause == ENODEV) {
      return error("this kernel has no tracefs (CONFIG_FTRACE)");
    }
    return error(
        "cannot open tracefs: {}; as root: mount -t tracefs tracefs "
        "/sys/kernel/tracing",
        std::strerror(cause));
  }
  return Tracefs(std::move(root));
}

Result<std::string> Tracefs::read(const std::string& path) const {
  const FileDescriptor file(openat(root_.get(), path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error(fmt::format("open tracefs {}", path), errno);
  }
  return read_all(file.get(), fmt::format("tracefs {}", path));
}

Result<FileDescriptor> Tracefs::open_commands(const std::string& path) const {
  FileDescriptor file(
      openat(root_.get(), path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file) {
    return system_error(fmt::format("open tracefs {}", path), errno);
  }
  return file;
}

std::vector<std::string> Tracefs::list(const std::string& path) const {
  const int folder =
      openat(root_.get(), path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(fdopendir(folder), closedir);
  std::vector<std::string> names;
  if (directory == nullptr) {
    return names;
  }
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") {
      names.emplace_back(name);
    }
  }
  return names;
}

}  // namespace kinst
