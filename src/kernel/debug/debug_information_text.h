// The kernel's text as it is in the kernel's image file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// One loaded segment of an image.
struct ImageSegment {
  std::uint64_t address = 0;  ///< as it was linked
  std::uint64_t size_bytes = 0;
  std::uint64_t file_offset = 0;

  bool operator==(const ImageSegment&) const = default;
};

/// An uncompressed kernel image, of the build that runs.
class ImageText {
 public:
  /// Looks for the image in the places of debug information, but needs no debug
  /// information in it. Errors: there is no image, or only images of other builds; it
  /// cannot be read.
  static Result<ImageText> open(const Symbols& symbols);
  /// Of a file whose first segment runs at `address`; nothing is compared.
  static Result<ImageText> open_file(std::string path, KernelAddress address);

  /// The file's bytes for `address` of the running kernel. Errors: the bytes are not in
  /// the file; the file cannot be read.
  [[nodiscard]] Result<std::vector<std::byte>> bytes(KernelAddress address,
                                                     std::size_t size_bytes) const;

  /// By how much the kernel runs above where it was linked: absolute addresses in the
  /// running text are that much greater.
  [[nodiscard]] std::uint64_t displacement() const { return displacement_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<ImageSegment> segments_;
  std::uint64_t displacement_ = 0;
};

}  // namespace kinst::kernel
