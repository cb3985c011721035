// The kernel's memory, read only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/address.h"
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
                                                     std::size_t size_bytes) const {
    std::vector<std::byte> out(size_bytes);
    KINST_CHECK(read(address, out));
    return out;
  }
};

/// One value of a trivially copyable type.
template <typename Value>
Result<Value> read_value(const Memory& memory, KernelAddress address) {
  Value out{};
  KINST_CHECK(memory.read(address, std::as_writable_bytes(std::span(&out, 1))));
  return out;
}

}  // namespace kinst::kernel
