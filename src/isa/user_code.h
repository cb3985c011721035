// What code does with addresses and where it ends, as far as functions of user programs
// are found by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/instruction.h"

namespace kinst::isa {

/// The most bytes of an instruction.
inline constexpr std::uint64_t longest_instruction = 15;

/// Whether control may go on behind the instruction: not after a jump, a return, or
/// what is there to end the program (ud0 to ud2, hlt, a breakpoint).
bool goes_on(const Instruction& instruction);

/// The address that the instruction puts into a register as a constant of its own,
/// relative to itself or not: how code takes the address of a function. Any number that
/// is moved to a register counts.
std::optional<std::uint64_t> address_taken(const Instruction& instruction);

}  // namespace kinst::isa
