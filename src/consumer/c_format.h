// Formats one value by a conversion of printf(3). The C library handles width,
// precision and flags, as it does in DTrace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "record/format.h"

namespace kinst::consumer {

/// A conversion's flags, width and precision, with dynamic ones filled in.
struct CFormat {
  std::string flags;
  std::uint32_t width = 0;
  std::optional<std::uint32_t> precision;
};

/// The format of `directive`, with the width and precision that arguments gave. Both
/// are limited to record::largest_width. A negative dynamic width means left-aligned; a
/// negative dynamic precision means none.
CFormat c_format(const record::Directive& directive, std::int64_t width,
                 std::optional<std::int64_t> precision);

void append_signed(std::string& out, const CFormat& format, char letter,
                   std::int64_t value);
void append_unsigned(std::string& out, const CFormat& format, char letter,
                     std::uint64_t value);
void append_real(std::string& out, const CFormat& format, char letter,
                 long double value);
void append_character(std::string& out, const CFormat& format, char value);
void append_text(std::string& out, const CFormat& format, std::string_view value);

}  // namespace kinst::consumer
