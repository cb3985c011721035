#include <cstring>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

constexpr std::size_t distance_bytes = 4;

std::uint8_t byte_at(std::span<const std::byte> bytes, std::size_t index) {
  return std::to_integer<std::uint8_t>(bytes[index]);
}

std::int64_t distance_at(std::span<const std::byte> bytes, std::size_t index) {
  std::int32_t distance = 0;
  std::memcpy(&distance, &bytes[index], sizeof distance);
  return distance;
}

}  // namespace

void add_direct_targets(std::span<const std::byte> text, std::uint64_t address,
                        std::vector<std::uint64_t>& targets) {
  for (std::size_t at = 0; at + 1 + distance_bytes <= text.size(); ++at) {
    const std::uint8_t byte = byte_at(text, at);
    // call and jmp; the second byte of a jump on a condition, 0f 80 to 0f 8f.
    const bool is_conditional =
        (byte & 0xf0U) == 0x80 && at != 0 && byte_at(text, at - 1) == 0x0f;
    if (byte == 0xe8 || byte == 0xe9 || is_conditional) {
      targets.push_back(address + at + 1 + distance_bytes +
                        static_cast<std::uint64_t>(distance_at(text, at + 1)));
    }
  }
}

}  // namespace kinst::isa::x86
