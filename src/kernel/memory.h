// The running kernel's memory, read only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::kernel {

/// What reads kernel memory; tests give their own.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  Memory(Memory&&) = delete;
  Memory& operator=(Memory&&) = delete;
  virtual ~Memory() = default;

  /// Fills `out` from `address` on. Errors: not mapped, not readable.
  [[nodiscard]] virtual Result<void> read(KernelAddress address,
                                          std::span<std::byte> out) const = 0;

  /// The bytes from `address` on.
  [[nodiscard]] Result<std::vector<std::byte>> bytes(KernelAddress address,
                                                     std::size_t size_bytes) const;
};

/// One value of a trivially copyable type.
template <typename Value>
Result<Value> read_value(const Memory& memory, KernelAddress address) {
  Value out{};
  KINST_CHECK(memory.read(address, std::as_writable_bytes(std::span(&out, 1))));
  return out;
}

/// A part of the kernel's address space and where the core file has it.
struct CoreSegment {
  KernelAddress address{};
  std::uint64_t size_bytes = 0;
  std::uint64_t file_offset = 0;

  bool operator==(const CoreSegment&) const = default;
};

/// The loaded segments that the beginning of an ELF core file tells of.
/// Errors: no 64-bit core file; cut short.
Result<std::vector<CoreSegment>> parse_core_segments(
    std::span<const std::byte> beginning);

/// Opens /proc/kcore, the running kernel's memory as an ELF core file. Nothing is read
/// but the headers, and what is asked for.
/// Errors: this kernel has none (CONFIG_PROC_KCORE), it may not be read.
Result<std::unique_ptr<Memory>> open_live_memory();

}  // namespace kinst::kernel
