// Values as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/text/json_writer.h"
#include "consumer/values/symbolizer.h"
#include "record/decode.h"
#include "types/type.h"

namespace kinst::consumer {

/// Writes the value at `bytes`: a number, a string for enumerators and text, an array,
/// or an object for structs and unions; null where `bytes` ends before the type does.
void write_value(JsonWriter& json, const types::TypeTable& table, types::TypeId type,
                 std::span<const std::byte> bytes);

/// Writes a value of a record. Addresses and stacks become objects with their symbols.
void write_value(JsonWriter& json, Symbolizer& names, const types::TypeTable& table,
                 const record::Value& value);

/// Writes bytes as a string of hexadecimal digits.
void write_bytes(JsonWriter& json, std::span<const std::byte> bytes);

/// Writes {"id":…,"provider":…,"module":…,"function":…,"name":…}, or null.
void write_probe(JsonWriter& json, const provider::Probe* probe);

}  // namespace kinst::consumer
