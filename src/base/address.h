// Addresses and offsets as distinct types, so that they cannot be mixed by mistake.
#pragma once

#include <cstdint>

namespace kinst {

/// A kernel virtual address.
enum class KernelAddress : std::uint64_t {};
/// Bytes from the start of a function.
enum class FunctionOffset : std::uint64_t {};

constexpr std::uint64_t number(KernelAddress address) {
  return static_cast<std::uint64_t>(address);
}
constexpr std::uint64_t number(FunctionOffset offset) {
  return static_cast<std::uint64_t>(offset);
}
constexpr KernelAddress operator+(KernelAddress base, FunctionOffset offset) {
  return KernelAddress{number(base) + number(offset)};
}
/// The distance from `base` up to `address`.
constexpr FunctionOffset operator-(KernelAddress address, KernelAddress base) {
  return FunctionOffset{number(address) - number(base)};
}

}  // namespace kinst
