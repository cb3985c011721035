// Properties of instructions by which the functions of user programs are found: where
// code ends, and which addresses it uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/instruction.h"

namespace kinst::isa {

/// The most bytes of an instruction.
inline constexpr std::uint64_t longest_instruction = 15;

/// Whether control may go on behind the instruction. False for a jump, a return, and an
/// instruction that ends the program (ud0 to ud2, hlt, a breakpoint).
bool goes_on(const Instruction& instruction);

/// The constant, absolute or relative to the instruction, that the instruction moves to
/// a register. This is how code takes the address of a function, but any other number
/// counts as well.
std::optional<std::uint64_t> address_taken(const Instruction& instruction);

}  // namespace kinst::isa
