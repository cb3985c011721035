// Values without a format: what trace(), tracemem() and aggregations' keys print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "consumer/symbol_text.h"
#include "record/decode.h"

namespace kinst::consumer {

/// How values are set out.
enum class Columns : std::uint8_t {
  Aligned,
  Bare,  ///< under the option quiet: no padding
};

/// Appends a value as trace() prints it. Integers take the columns of their size.
void append_traced(std::string& out, const Naming& naming, const record::Value& value,
                   Columns columns);

/// Appends a key of an aggregation that is printed without a format. Smaller integers
/// are taken as unsigned, as in DTrace.
void append_key(std::string& out, const Naming& naming, const record::Value& value);

/// Appends bytes as lines of sixteen in hexadecimal and, to the right, as characters;
/// nothing if there are none.
void append_dump(std::string& out, std::span<const std::byte> bytes);

/// Appends bytes as text in a column of 50 if they look like text that ends once, else
/// as a dump.
void append_bytes(std::string& out, std::span<const std::byte> bytes);

}  // namespace kinst::consumer
