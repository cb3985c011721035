#include <array>
#include <cstdint>

#include "isa/user_probes.h"

namespace kinst::isa {
namespace {

// Lock and the segments that programs of 64 bits have no use for.
bool is_refused_prefix(std::uint8_t byte) {
  return byte == 0xf0 || byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e;
}

bool is_other_prefix(std::uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x64 ||
         byte == 0x65;
}

// A bit for each opcode of one byte that is refused, a row for each upper digit.
constexpr std::array<std::uint16_t, 16> refused_opcodes = {
    0x40c0,  // 06 07 0e
    0xc0c0,  // 16 17 1e 1f
    0x8080,  // 27 2f
    0x8080,  // 37 3f
    0x0000, 0x0000,
    0xf007,  // 60 61 62 6c 6d 6e 6f
    0x0000,
    0x0004,  // 82
    0x0400,  // 9a
    0x0000, 0x0000,
    0xf000,  // cc cd ce cf
    0x0070,  // d4 d5 d6
    0xf4f0,  // e4 e5 e6 e7 ea ec ed ee ef
    0x0c12,  // f1 f4 fa fb
};

bool is_refused_opcode(std::uint8_t opcode) {
  return (refused_opcodes.at(opcode >> 4U) >> (opcode & 0xfU) & 1U) != 0;
}

// Jumps on conditions, nop, jumps and calls, which are emulated; returns and popf,
// behind which the instruction pointer or the flags are not put right.
bool is_taken_for_control_flow(std::uint8_t opcode) {
  switch (opcode) {
    case 0x90:
    case 0x9a:
    case 0x9d:
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf:
    case 0xe8:
    case 0xe9:
    case 0xea:
    case 0xeb:
    case 0xff:
      return true;
    default:
      return opcode >= 0x70 && opcode <= 0x7f;
  }
}

// How many bytes of a VEX or EVEX prefix stand before the opcode; 0: there is none.
std::size_t avx_prefix_bytes(std::uint8_t first) {
  switch (first) {
    case 0xc5:
      return 2;
    case 0xc4:
      return 3;
    case 0x62:
      return 4;
    default:
      return 0;
  }
}

}  // namespace

std::string_view why_no_uprobe(std::span<const std::byte> encoding) {
  constexpr std::string_view refused = "the kernel cannot step over it";
  std::size_t at = 0;
  for (; at < encoding.size(); ++at) {
    const auto byte = std::to_integer<std::uint8_t>(encoding[at]);
    if (is_refused_prefix(byte)) {
      return refused;
    }
    if (!is_other_prefix(byte)) {
      break;
    }
  }
  if (at == encoding.size()) {
    return {};
  }
  const std::size_t prefix =
      avx_prefix_bytes(std::to_integer<std::uint8_t>(encoding[at]));
  if (prefix == 0 || at + prefix >= encoding.size()) {
    return {};
  }
  const auto opcode = std::to_integer<std::uint8_t>(encoding[at + prefix]);
  if (is_taken_for_control_flow(opcode)) {
    return "the kernel takes this AVX instruction for a jump and would break the "
           "program";
  }
  return is_refused_opcode(opcode) ? refused : std::string_view();
}

}  // namespace kinst::isa
