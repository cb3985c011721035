// What the fuzz targets share. Each is a function of any bytes: it must come back, and
// what it gives must be as the header of what it calls promises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace kinst::fuzz {

/// Ends the run, so that the input is kept, where a promise is broken.
inline void require(bool is_kept) {
  if (!is_kept) {
    std::abort();
  }
}

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace kinst::fuzz
