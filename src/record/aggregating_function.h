// D's aggregating functions, which the language, the generated code and the consumer
// all know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kinst::record {

enum class AggregatingFunction : std::uint8_t {
  Count,
  Sum,
  Min,
  Max,
  Avg,
  Stddev,
  Quantize,
  Lquantize,
  Llquantize,
};

/// The buckets in which a function counts its values.
enum class Buckets : std::uint8_t {
  None,       ///< it gives a number
  Powers,     ///< of two
  Linear,     ///< low, high, step
  LogLinear,  ///< factor, low, high, steps
};

/// How the values that the CPUs have become one.
enum class Combination : std::uint8_t {
  Sums,            ///< word by word
  SumsAndSquares,  ///< the last two words are one number
  Smallest,
  Largest,
};

/// How a function can be drawn, if options ask for it, so that each key takes one line.
enum class LineDrawing : std::uint8_t {
  None,
  Bar,      ///< agghist
  Buckets,  ///< aggpack
};

/// A row of the table of aggregating functions.
struct AggregatingFunctionInfo {
  AggregatingFunction function{};
  std::string_view name;  ///< as D programs and JSON call it
  /// As d::SubroutineInfo::prototype: the value, the parameters, and the increment that
  /// functions with buckets take.
  std::string_view prototype = "void(@)";
  /// How many of the arguments are parameters, which all uses of an aggregation share.
  std::size_t parameters = 0;
  /// 64-bit words of the value with its count of updates (record/layout.h). 0: the
  /// buckets say it.
  std::uint32_t words = 0;
  Combination combination = Combination::Sums;
  Buckets buckets = Buckets::None;
  /// Whether the count of updates belongs to the value, and not only tells whether
  /// there is one.
  bool keeps_updates = false;
  /// Whether the number is signed if what is aggregated is.
  bool is_signed = true;
  LineDrawing line = LineDrawing::None;
};

/// The table, with one row for each function.
std::span<const AggregatingFunctionInfo> all_aggregating_functions();
std::optional<AggregatingFunction> find_aggregating_function(std::string_view name);
const AggregatingFunctionInfo& aggregating_function_info(AggregatingFunction function);
std::string_view name_of(AggregatingFunction function);
/// Whether the function makes a distribution, which has no single number.
bool is_distribution(AggregatingFunction function);

}  // namespace kinst::record
