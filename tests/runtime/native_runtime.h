// What the runtime's unit tests share: a clause's memory before each test, and strings
// as the runtime takes and gives them.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "helpers.h"
#include "runtime/abi.h"
#include "runtime/functions.h"

namespace kinst::runtime {

class NativeRuntime : public testing::Test {
 protected:
  NativeRuntime() { reset(256); }

  /// A new clause begins.
  static void reset(unsigned string_size,
                    unsigned scratch_limit = KINST_SCRATCH_BYTES) {
    native_reset(string_size, scratch_limit);
  }
  static kinst_fault fault() { return static_cast<kinst_fault>(native_state()->fault); }
  static std::uint64_t fault_address() { return native_state()->fault_address; }
};

/// No address that can be read.
inline constexpr std::uint64_t bad_address = 0x1234;

inline std::uint64_t address_of(const void* memory) {
  return std::bit_cast<std::uint64_t>(memory);
}
inline std::uint64_t address_of(const std::string& text) {
  return address_of(text.c_str());
}
/// The string at an address; "(none)" for 0.
inline std::string text_at(std::uint64_t address) {
  return address == 0 ? "(none)" : std::string(std::bit_cast<const char*>(address));
}

}  // namespace kinst::runtime
