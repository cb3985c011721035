// Files that another user chose. Any user can give the kernel any path, the file there
// can be of any kind, and it can change while it is read.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// Identifies a file and its contents: two files differ in it, and so does one file
/// before and after a write.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_s = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_s = 0;  ///< inode change time, which the owner cannot set
  std::int64_t changed_ns = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

/// A regular file on a file system that stores files, open for reading. Nothing else is
/// ever opened: opening a FIFO can wait for ever, and opening a device or reading a
/// file of /proc or /sys can do something. A lease that the file's owner holds is an
/// error, not a wait. The file is never mapped: if its owner cuts it off, reading ends
/// early, and nothing worse happens.
class RegularFile {
 public:
  /// path: symbolic links are followed.
  /// Errors: cannot be opened; not a regular file.
  static Result<RegularFile> open(const std::string& path);

  /// The file that `path` names where `root` is "/": symbolic links and ".." cannot
  /// lead out of it. root: such as /proc/17/root. Errors: those of open().
  static Result<RegularFile> open_below(const std::string& root,
                                        const std::string& path);

  [[nodiscard]] std::uint64_t size_bytes() const { return identity_.size_bytes; }
  [[nodiscard]] const FileIdentity& identity() const { return identity_; }

  /// Fills `out` from `offset` on. Errors: unreadable; the file ends before.
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  RegularFile(FileDescriptor descriptor, const FileIdentity& identity)
      : descriptor_(std::move(descriptor)), identity_(identity) {}
  static Result<RegularFile> from_place(FileDescriptor place, const std::string& path);

  FileDescriptor descriptor_;
  FileIdentity identity_;
};

}  // namespace kinst
