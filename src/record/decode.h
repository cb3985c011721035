// Raw records to values. Nothing is copied: values point into the record's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "record/layout.h"
#include "runtime/abi.h"
#include "types/type.h"

namespace kinst::record {

/// Integers, enums and pointers.
struct Integer {
  std::uint64_t value = 0;  ///< extended to 64 bits by its sign
  std::uint32_t size_bytes = 8;
  bool is_signed = false;
  bool operator==(const Integer&) const = default;
};

struct Real {
  long double value = 0;
  std::uint32_t size_bytes = 8;
  bool operator==(const Real&) const = default;
};

/// A string or an array of char, up to its first zero byte.
struct Text {
  std::string_view text;
  bool operator==(const Text&) const = default;
};

/// Anything else: structs, unions, arrays, what tracemem() copied.
struct Bytes {
  std::span<const std::byte> bytes;
};

/// A kernel address, or a user address in a process.
struct Address {
  std::uint64_t address = 0;
  std::optional<std::uint64_t> process;
  bool operator==(const Address&) const = default;
};

/// A stack's addresses, innermost first.
struct Frames {
  std::vector<std::uint64_t> addresses;
  std::optional<std::uint64_t> process;  ///< of a user stack
  bool operator==(const Frames&) const = default;
};

/// The probe whose name, number or instruction the consumer is to print.
struct ProbeKey {
  std::uint64_t key = 0;
  bool operator==(const ProbeKey&) const = default;
};

/// A field's value.
struct Value {
  Meaning meaning = Meaning::Value;
  types::TypeId type{};
  std::variant<Integer, Real, Text, Bytes, Address, Frames, ProbeKey> data;
  /// The field as it stands in the record.
  std::span<const std::byte> bytes;
};

/// An action of a record that did run, with its values.
struct DecodedAction {
  const Action* action = nullptr;
  std::vector<Value> values;
};

struct DecodedRecord {
  kinst_record_header header{};
  const Layout* layout = nullptr;
  std::vector<DecodedAction> actions;
};

/// `field` of the record or key at `bytes`; nothing if the field is not within it.
std::optional<Value> decode_field(const types::TypeTable& table, const Field& field,
                                  std::span<const std::byte> bytes);

/// Decodes a record from the ring buffer. `layouts` must outlive the result, and
/// `bytes` must outlive the result's values.
/// Errors: the record's clause does not exist; the record is shorter than the clause's
/// layout. Either means a bug in kinst or an overwritten buffer.
Result<std::variant<DecodedRecord, kinst_error_record>> decode(
    const types::TypeTable& table, const Layouts& layouts,
    std::span<const std::byte> bytes);

}  // namespace kinst::record
