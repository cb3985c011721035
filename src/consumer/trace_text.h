// Values without a format, as trace(), tracemem() and the keys of aggregations print
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "consumer/naming.h"
#include "record/decode.h"

namespace kinst::consumer {

/// How values are set out.
enum class Columns : std::uint8_t {
  Aligned,
  Bare,  ///< under the option quiet: no padding
};

/// Appends a value as trace() prints it. Integers take a column whose width depends on
/// their size.
void append_traced(std::string& out, const Naming& naming, const record::Value& value,
                   Columns columns);

/// Appends a key of an aggregation that is printed without a format. Integers are
/// signed or unsigned by their type; DTrace only looks at their size.
void append_key(std::string& out, const Naming& naming, const record::Value& value);

/// Appends bytes as lines of sixteen: in hexadecimal and, to the right, as characters.
/// Appends nothing if there are no bytes.
void append_dump(std::string& out, std::span<const std::byte> bytes);

/// Appends bytes as text in a column of 50 if they are printable characters followed by
/// nothing but zeros, otherwise as a dump.
void append_bytes(std::string& out, std::span<const std::byte> bytes);

}  // namespace kinst::consumer
