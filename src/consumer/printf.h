// Values by a format string, as D's printf() prints them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "consumer/c_format.h"
#include "consumer/symbol_text.h"
#include "record/decode.h"
#include "record/format.h"

namespace kinst::consumer {

/// Appends the aggregation's value that a directive with '@' stands for.
using AppendAggregation = std::function<void(
    std::string& out, const record::Directive& directive, const CFormat& format)>;

/// Appends the text that `format` makes of `values`, which are its arguments in order.
/// Conversions for which there is no value, or none of their kind, stay empty.
/// naming: its indent is that of a stack's lines, unless the stack's conversion is
/// left-aligned in a width.
/// aggregation: for printa() only.
void append_format(std::string& out, const Naming& naming, const record::Format& format,
                   std::span<const record::Value> values,
                   const AppendAggregation& aggregation = nullptr);

/// Appends an integer by a conversion that takes one.
void append_integer(std::string& out, const CFormat& format,
                    const record::Conversion& conversion,
                    const record::Integer& integer);

/// %S's and %C's: everything that is not printable ASCII as a C escape.
std::string escaped(std::string_view text);

/// %Y's: "1973 Dec  3 17:20:00", the local time of nanoseconds since 1970.
std::string time_text(std::uint64_t nanoseconds);

/// %T's, as in RFC 822: "Mon, 03 Dec 1973 17:20:00 CET".
std::string mail_time_text(std::uint64_t nanoseconds);

}  // namespace kinst::consumer
