// Which places of a program's code its code names, without knowing where instructions
// begin or which of them are executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kinst::isa {

/// Adds to `targets` where the jumps and calls of `text` lead that name a place by a
/// distance of 4 bytes. Every byte is taken for the first of one, so a few targets in a
/// megabyte are by chance. text: its first byte is at `address`.
void add_direct_targets(std::span<const std::byte> text, std::uint64_t address,
                        std::vector<std::uint64_t>& targets);

}  // namespace kinst::isa
