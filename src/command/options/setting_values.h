// The values of D's options as DTrace writes them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinst::command {

/// The text with small letters for ASCII's capitals.
std::string lower(std::string_view text);

/// A number as C writes it: decimal, hexadecimal behind 0x, octal behind 0. Nothing if
/// anything else is in the text.
std::optional<std::uint64_t> read_number(std::string_view text);

/// A number of bytes; k, m, g or t may stand behind it. Nothing if it does not fit into
/// 63 bits.
std::optional<std::uint64_t> read_size(std::string_view text);

/// A time ("10ms"; without a unit nanoseconds) or a frequency ("5hz"), as the time
/// between two events; 0hz is 0.
std::optional<std::chrono::nanoseconds> read_rate(std::string_view text);

/// yes, on and their kind, or their opposites; of numbers, 0 is off.
std::optional<bool> read_switch(std::string_view text);

}  // namespace kinst::command
