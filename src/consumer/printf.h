// Formats values by a format string, as D's printf() does.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "consumer/c_format.h"
#include "consumer/naming.h"
#include "record/decode.h"
#include "record/format.h"

namespace kinst::consumer {

/// Appends the value of the aggregation for a directive with '@'.
using AppendAggregation = std::function<void(
    std::string& out, const record::Directive& directive, const CFormat& format)>;

/// Appends the text that `format` makes of `values`, its arguments in order. A
/// conversion is left empty if its value is missing or of the wrong kind.
/// naming: its indent applies to a stack's lines, unless the stack's conversion is
/// left-aligned in a width.
/// aggregation: only for printa().
void append_format(std::string& out, const Naming& naming, const record::Format& format,
                   std::span<const record::Value> values,
                   const AppendAggregation& aggregation = nullptr);

/// Appends an integer by a conversion for integers.
void append_integer(std::string& out, const CFormat& format,
                    const record::Conversion& conversion,
                    const record::Integer& integer);

/// For %S and %C: replaces everything that is not printable ASCII by a C escape.
std::string escaped(std::string_view text);

/// For %Y: "1973 Dec  3 17:20:00", in local time. nanoseconds: since 1970.
std::string time_text(std::uint64_t nanoseconds);

/// For %T: "Mon, 03 Dec 1973 17:20:00 CET", as in RFC 822.
std::string mail_time_text(std::uint64_t nanoseconds);

}  // namespace kinst::consumer
