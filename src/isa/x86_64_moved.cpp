// Addresses within instructions that differ from the file that the kernel was loaded
// from.
#include <algorithm>
#include <cstring>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

template <typename Value>
bool is_moved_at(std::span<const std::byte> live, std::span<const std::byte> disk,
                 std::size_t at, std::uint64_t distance) {
  Value there{};
  Value here{};
  std::memcpy(&here, live.data() + at, sizeof here);
  std::memcpy(&there, disk.data() + at, sizeof there);
  // Down: what is relative to the instruction but means a place that did not move.
  const bool has_moved = here == static_cast<Value>(there + distance) ||
                         here == static_cast<Value>(there - distance);
  return has_moved && std::ranges::equal(live.first(at), disk.first(at)) &&
         std::ranges::equal(live.subspan(at + sizeof here),
                            disk.subspan(at + sizeof here));
}

}  // namespace

// An address has 4 or 8 bytes, behind an opcode of at least one.
bool is_moved(std::span<const std::byte> live, std::span<const std::byte> disk,
              std::uint64_t distance) {
  for (std::size_t at = 1; at + sizeof(std::uint32_t) <= live.size(); ++at) {
    if (is_moved_at<std::uint32_t>(live, disk, at, distance) ||
        (at + sizeof(std::uint64_t) <= live.size() &&
         is_moved_at<std::uint64_t>(live, disk, at, distance))) {
      return true;
    }
  }
  return false;
}

}  // namespace kinst::isa::x86
