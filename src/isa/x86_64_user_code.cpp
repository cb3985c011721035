#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

bool ends_the_program(std::span<const std::byte> encoding) {
  constexpr std::byte hlt{0xf4};
  constexpr std::byte breakpoint{0xcc};
  constexpr std::byte escape{0x0f};
  constexpr std::array undefined = {std::byte{0x0b}, std::byte{0xb9}, std::byte{0xff}};
  if (encoding.size() == 1) {
    return encoding.front() == hlt || encoding.front() == breakpoint;
  }
  return encoding.size() > 1 && encoding.front() == escape &&
         std::ranges::find(undefined, encoding[1]) != undefined.end();
}

}  // namespace

std::optional<std::uint64_t> address_taken(const Instruction& instruction) {
  const std::span<const std::byte> code = instruction.encoding();
  const auto byte = [&](std::size_t at) {
    return at < code.size() ? std::to_integer<std::uint8_t>(code[at]) : 0U;
  };
  const std::size_t opcode = (byte(0) & 0xf0U) == 0x40 ? 1 : 0;  // behind REX
  std::int32_t constant = 0;
  if (code.size() < opcode + 1 + sizeof constant) {
    return std::nullopt;
  }
  std::memcpy(&constant, code.data() + code.size() - sizeof constant, sizeof constant);
  const bool is_relative = byte(opcode) == 0x8d && (byte(opcode + 1) & 0xc7U) == 0x05 &&
                           code.size() == opcode + 2 + sizeof constant;
  if (is_relative) {  // lea constant(%rip),%reg
    return number(instruction.address) + code.size() +
           static_cast<std::uint64_t>(std::int64_t{constant});
  }
  // mov $constant,%reg, of 4 bytes, or of 4 with their sign extended
  const bool is_move =
      ((byte(opcode) & 0xf8U) == 0xb8 && code.size() == opcode + 1 + sizeof constant) ||
      (byte(opcode) == 0xc7 && (byte(opcode + 1) & 0xf8U) == 0xc0);
  return is_move ? std::optional(static_cast<std::uint64_t>(std::int64_t{constant}))
                 : std::nullopt;
}

bool goes_on(const Instruction& instruction) {
  return !instruction.is(InstructionClass::Jump) &&
         !instruction.is(InstructionClass::Return) &&
         !ends_the_program(instruction.encoding());
}

}  // namespace kinst::isa::x86
