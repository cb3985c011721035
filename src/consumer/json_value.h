// Values as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "consumer/values/symbolizer.h"
#include "record/decode.h"
#include "types/type.h"

namespace kinst::consumer {

/// Appends the value at `bytes`: a number, a string for enumerators and text, an array,
/// or an object for structs and unions; null where `bytes` ends before the type does.
void append_json_value(std::string& out, const types::TypeTable& table,
                       types::TypeId type, std::span<const std::byte> bytes);

/// Appends a value of a record. Addresses and stacks become objects with their symbols.
void append_json_value(std::string& out, Symbolizer& names,
                       const types::TypeTable& table, const record::Value& value);

/// Appends bytes as a string of hexadecimal digits.
void append_json_bytes(std::string& out, std::span<const std::byte> bytes);

/// Appends {"id":…,"provider":…,"module":…,"function":…,"name":…}, or null.
void append_json_probe(std::string& out, const provider::Probe* probe);

}  // namespace kinst::consumer
