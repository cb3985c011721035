// A name in the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/address.h"

namespace kinst::kernel {

/// The module field of what belongs to the kernel image itself.
inline constexpr std::string_view kernel_module = "vmlinux";

/// Whether nm(1) gives the letter to functions.
constexpr bool is_function_type(char type) {
  return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/// Whether nm(1) gives the letter to absolute symbols: offsets into the per-CPU area,
/// constants.
constexpr bool is_absolute_type(char type) {
  return type == 'a' || type == 'A';
}

struct Symbol {
  KernelAddress address{};
  /// Up to the next symbol at a higher address, so padding is included.
  std::uint64_t size_bytes = 0;
  /// False for a module's last symbol, whose end no other symbol marks: size_bytes is
  /// then a reasonable maximum.
  bool end_is_known = true;
  std::string name;
  /// "vmlinux", a module's name, or what the kernel shows in brackets for text that it
  /// makes at run time: "bpf", "__builtin__ftrace", "__builtin__kprobes".
  std::string module;
  /// nm(1)'s letter: 't' and 'T' are text, 'w' and 'W' weak. What the kernel lists as
  /// text, but has elsewhere, is data: 'd' or 'D'.
  char type = '?';

  [[nodiscard]] bool is_function() const { return is_function_type(type); }
  bool operator==(const Symbol&) const = default;
};

/// The largest size that is assumed for the last symbol before a hole.
inline constexpr std::uint64_t most_bytes_without_an_end = 0x10000;

}  // namespace kinst::kernel
