#include "kernel/code/emulation_faults.h"

#include <charconv>
#include <cstddef>
#include <system_error>
#include <vector>

namespace kinst::kernel {

Result<std::optional<bool>> is_emulated_right(const Memory& memory,
                                              const Symbols& symbols,
                                              const isa::EmulationFault& fault) {
  const auto emulator = symbols.find(kernel_module, fault.emulator);
  const auto comparison = symbols.find(kernel_module, fault.comparison);
  if (!emulator) {
    return true;
  }
  if (!comparison) {
    return std::nullopt;
  }
  const std::vector<std::byte> text =
      KINST_TRY(memory.bytes(emulator->address, emulator->size_bytes));
  const std::vector<std::byte> compared =
      KINST_TRY(memory.bytes(comparison->address, comparison->size_bytes));
  return fault.is_right(text, compared);
}

bool is_since(std::string_view release, isa::KernelRelease first) {
  isa::KernelRelease version;
  const char* end = release.data() + release.size();
  const auto [dot, problem] = std::from_chars(release.data(), end, version.major);
  if (problem != std::errc() || dot == end || *dot != '.') {
    return false;
  }
  const auto minor = std::from_chars(dot + 1, end, version.minor);
  return minor.ec == std::errc() && version >= first;
}

}  // namespace kinst::kernel
