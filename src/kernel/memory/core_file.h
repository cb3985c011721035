// /proc/kcore, the running kernel's memory as an ELF core file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "kernel/memory/memory.h"

namespace kinst::kernel {

/// A part of the kernel's address space and where the core file has it.
struct CoreSegment {
  KernelAddress address{};
  std::uint64_t size_bytes = 0;
  std::uint64_t file_offset = 0;

  bool operator==(const CoreSegment&) const = default;
};

/// What the headers of a core file describe.
struct CoreHeaders {
  /// The loaded ones.
  std::vector<CoreSegment> segments;
  /// Where the notes are in the file; no bytes where there are none.
  std::uint64_t notes_offset = 0;
  std::uint64_t notes_bytes = 0;
};

/// Parses the headers at the beginning of a core file. Errors: not a 64-bit core file;
/// cut short.
Result<CoreHeaders> parse_core_headers(std::span<const std::byte> beginning);

/// The running kernel's memory. Nothing is read but the headers, and what is asked for.
class CoreFile final : public Memory {
 public:
  /// Errors: this kernel has no /proc/kcore (CONFIG_PROC_KCORE), it may not be read.
  static Result<std::unique_ptr<CoreFile>> open();

  /// For open().
  CoreFile(FileDescriptor file, CoreHeaders headers)
      : file_(std::move(file)), headers_(std::move(headers)) {}

  [[nodiscard]] Result<void> read(KernelAddress address,
                                  std::span<std::byte> out) const override;

  /// The file's notes. Errors: unreadable.
  [[nodiscard]] Result<std::vector<std::byte>> notes() const;

 private:
  FileDescriptor file_;
  CoreHeaders headers_;
};

}  // namespace kinst::kernel
