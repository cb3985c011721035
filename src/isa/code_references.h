// Finds which addresses a program's code refers to, without knowing where instructions
// begin or which of them are executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kinst::isa {

/// Adds to `targets` the targets of the jumps and calls in `text` that have a 4-byte
/// relative operand. Every byte is taken for the first byte of such an instruction, so
/// a megabyte of text yields a few targets by chance. text: its first byte is at
/// `address`.
void add_direct_targets(std::span<const std::byte> text, std::uint64_t address,
                        std::vector<std::uint64_t>& targets);

}  // namespace kinst::isa
