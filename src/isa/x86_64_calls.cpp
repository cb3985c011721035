// The System V ABI's AMD64 supplement, 3.2.3: a value of up to two eightbytes goes into
// registers by the classes of these; any other, and one for which no registers are
// left, goes to the stack as a whole.
#include <algorithm>
#include <array>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

constexpr std::uint64_t word_bytes = 8;
constexpr std::size_t integer_registers = 6;
constexpr std::size_t vector_registers = 8;

enum class WordClass : std::uint8_t { None, Integer, Vector };

struct Classes {
  bool is_in_memory = false;
  std::array<WordClass, 2> words = {WordClass::None, WordClass::None};

  [[nodiscard]] std::size_t count(WordClass wanted) const {
    return static_cast<std::size_t>(std::ranges::count(words, wanted));
  }
};

std::uint64_t words_of(const ValueShape& value) {
  return (value.size_bytes + word_bytes - 1) / word_bytes;
}

Classes classify(const ValueShape& value) {
  Classes classes;
  const auto is_for_memory = [](const Scalar& scalar) {
    return scalar.is_unaligned || scalar.scalar_class == ScalarClass::LongDouble;
  };
  if (value.size_bytes > 2 * word_bytes ||
      std::ranges::any_of(value.scalars, is_for_memory)) {
    classes.is_in_memory = true;
    return classes;
  }
  for (const Scalar& scalar : value.scalars) {
    const std::uint64_t first = scalar.offset_bits / (8 * word_bytes);
    const std::uint64_t last =
        (scalar.offset_bits + std::max<std::uint64_t>(scalar.width_bits, 1) - 1) /
        (8 * word_bytes);
    for (std::uint64_t word = first; word <= last; ++word) {
      WordClass& merged = classes.words.at(word);
      if (scalar.scalar_class == ScalarClass::Integer) {
        merged = WordClass::Integer;
      } else if (merged == WordClass::None) {
        merged = WordClass::Vector;
      }
    }
  }
  return classes;
}

class Placing {
 public:
  /// A result in memory takes the first register, for its address.
  explicit Placing(bool has_hidden_parameter)
      : next_register_(has_hidden_parameter ? 1 : 0) {}

  ParameterPlace place(const ValueShape& value) {
    if (value.size_bytes == 0) {
      return {};
    }
    const Classes classes = classify(value);
    const std::size_t integers = classes.count(WordClass::Integer);
    const std::size_t vectors = classes.count(WordClass::Vector);
    if (classes.is_in_memory || next_register_ + integers > integer_registers ||
        vectors_used_ + vectors > vector_registers) {
      return on_stack(value);
    }
    vectors_used_ += vectors;
    ParameterPlace place{.words = {}, .is_readable = vectors == 0};
    for (std::size_t word = 0; word < integers; ++word) {
      place.words.push_back(static_cast<std::uint32_t>(next_register_++));
    }
    return place;
  }

 private:
  ParameterPlace on_stack(const ValueShape& value) {
    const std::uint64_t alignment =
        std::max<std::uint64_t>(value.alignment_bytes / word_bytes, 1);
    next_word_ = (next_word_ + alignment - 1) / alignment * alignment;
    ParameterPlace place;
    for (std::uint64_t word = 0; word < words_of(value); ++word) {
      place.words.push_back(
          static_cast<std::uint32_t>(integer_registers + next_word_++));
    }
    return place;
  }

  std::size_t next_register_;
  std::size_t vectors_used_ = 0;
  std::uint64_t next_word_ = 0;
};

ResultKind result_kind(const std::optional<ValueShape>& result) {
  if (!result || result->size_bytes == 0) {
    return ResultKind::None;
  }
  // A long double comes back in a floating-point register, a struct of one too.
  if (result->scalars.size() == 1 &&
      result->scalars.front().scalar_class == ScalarClass::LongDouble) {
    return ResultKind::Unreadable;
  }
  const Classes classes = classify(*result);
  if (classes.is_in_memory) {
    return ResultKind::Memory;
  }
  return classes.count(WordClass::Vector) == 0 ? ResultKind::Registers
                                               : ResultKind::Unreadable;
}

}  // namespace

FunctionPlaces function_places(const FunctionShape& function) {
  FunctionPlaces result{.parameters = {}, .result = result_kind(function.result)};
  Placing placing(result.result == ResultKind::Memory);
  for (const ValueShape& parameter : function.parameters) {
    result.parameters.push_back(placing.place(parameter));
  }
  return result;
}

}  // namespace kinst::isa::x86
