// print(): shows a value with the members of its type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "types/type.h"

namespace kinst::consumer {

/// Appends the value at `bytes` as lines, with members indented below their struct.
/// Members that are all zero are left out. "..." is shown where `bytes` ends before the
/// type does, and below ten levels.
/// address: the address of the value, if a line "0x… = *" is to come first.
void append_printed(std::string& out, const types::TypeTable& table, types::TypeId type,
                    std::span<const std::byte> bytes,
                    std::optional<std::uint64_t> address);

}  // namespace kinst::consumer
