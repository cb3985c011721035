// Where a function's parameters and its result are, by the machine's calling
// convention.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kinst::isa {

enum class ScalarClass : std::uint8_t { Integer, Float, LongDouble };

/// A scalar within a value: an integer, a pointer, a bit-field, a floating-point
/// number.
struct Scalar {
  std::uint64_t offset_bits = 0;
  std::uint64_t width_bits = 0;
  ScalarClass scalar_class = ScalarClass::Integer;
  /// It does not stand at a multiple of its alignment; false for bit-fields.
  bool is_unaligned = false;
};

/// The properties of a value that decide how a calling convention passes it.
struct ValueShape {
  std::uint64_t size_bytes = 0;
  std::uint64_t alignment_bytes = 1;
  /// Of values up to `largest_taken_apart` bytes; empty for larger ones.
  std::vector<Scalar> scalars;
};
inline constexpr std::uint64_t largest_taken_apart = 64;

struct FunctionShape {
  std::vector<ValueShape> parameters;
  std::optional<ValueShape> result;  ///< nothing for void
};

/// Where a parameter is when its function begins.
struct ParameterPlace {
  /// The 8-byte words that hold it, in the order of its bytes, by number: first the
  /// registers of Isa::argument_registers, then the words on the stack above the return
  /// address. Empty for a value without bytes.
  std::vector<std::uint32_t> words;
  /// False where it is in a vector register, which a probe does not save.
  bool is_readable = true;
};

enum class ResultKind : std::uint8_t {
  None,
  Registers,  ///< in Isa::return_register; a second word in another one
  Memory,     ///< Isa::return_register holds its address
  Unreadable  ///< in a vector or floating-point register
};

struct FunctionPlaces {
  std::vector<ParameterPlace> parameters;
  ResultKind result = ResultKind::None;
};

}  // namespace kinst::isa
