// Which places of a program's code its code names, without knowing where instructions
// begin or which of them are executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/instruction.h"

namespace kinst::isa {

/// Adds to `targets` where the jumps and calls of `text` lead that name a place by a
/// distance of 4 bytes. Every byte is taken for the first of one, so a few targets in a
/// megabyte are by chance. text: its first byte is at `address`.
void add_direct_targets(std::span<const std::byte> text, std::uint64_t address,
                        std::vector<std::uint64_t>& targets);

/// The address that an instruction computes from its own, without reading memory there:
/// that of a table, mostly (x86-64: lea of a rip-relative operand). Nothing if none.
std::optional<std::uint64_t> computed_address(const Instruction& instruction);

/// Whether the instruction is there to end the program, so that nothing leads from it
/// to what stands behind it: ud2, hlt, a breakpoint.
bool ends_the_program(const Instruction& instruction);

}  // namespace kinst::isa
