// What code does with addresses and where it ends, as far as functions of user programs
// are found by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/instruction.h"

namespace kinst::isa {

/// Whether the instruction is there to end the program, so that what stands behind it
/// is not executed after it: ud0 to ud2, hlt, a breakpoint.
bool never_goes_on(std::span<const std::byte> encoding);

/// The address that the instruction puts into a register as a constant of its own,
/// relative to itself or not: how code takes the address of a function. Any number that
/// is moved to a register counts.
std::optional<std::uint64_t> address_taken(const Instruction& instruction);

}  // namespace kinst::isa
