// print(): a value with its type's members spelled out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "types/type.h"

namespace kinst::consumer {

/// Appends the value at `bytes` as lines, members below their struct; those that are
/// all zero are left out. Where bytes end before the type does, and below ten levels,
/// stands "...".
/// address: where the value was, if it is told as "0x… = *" on a line before it.
void append_printed(std::string& out, const types::TypeTable& table, types::TypeId type,
                    std::span<const std::byte> bytes,
                    std::optional<std::uint64_t> address);

}  // namespace kinst::consumer
