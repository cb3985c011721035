// Packs files into the archive that a Linux kernel unpacks as its first root file
// system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace kinst::guest {

/// A cpio archive in the "newc" format, uncompressed, as the kernel takes it for an
/// initramfs: Documentation/driver-api/early-userspace/buffer-format.rst. All belongs
/// to root and is from 1970, so that the same files give the same bytes.
class Archive {
 public:
  /// Adds the directory and those above it, each once. `path` is absolute.
  void add_directory(const std::filesystem::path& path);

  /// Adds a file and the directories above it. `permissions` are the nine bits of
  /// rwxrwxrwx. A path that was added before is left as it is.
  void add_file(const std::filesystem::path& path, std::string_view content,
                std::uint32_t permissions);

  [[nodiscard]] bool contains(const std::filesystem::path& path) const;

  /// The whole archive, closed by its trailer.
  [[nodiscard]] std::string bytes() const;

 private:
  std::set<std::filesystem::path> paths_;
  std::string entries_;
};

}  // namespace kinst::guest
