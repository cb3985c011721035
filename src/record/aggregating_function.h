// D's aggregating functions, which the language, the generated code and the consumer
// all know.
#pragma once

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

/// A row of the table of aggregating functions.
struct AggregatingFunctionInfo {
  AggregatingFunction function{};
  std::string_view name;  ///< as D programs and JSON call it
};

/// The table, with one row for each function.
std::span<const AggregatingFunctionInfo> all_aggregating_functions();
std::optional<AggregatingFunction> find_aggregating_function(std::string_view name);
std::string_view name_of(AggregatingFunction function);

}  // namespace kinst::record
