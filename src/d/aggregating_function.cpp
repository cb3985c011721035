// The names of D's aggregating functions.
#include "d/aggregating_function.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace kinst::d {
namespace {

/// By the enumerators' order.
constexpr std::array<std::string_view, 9> names = {
    "count",  "sum",      "min",       "max",       "avg",
    "stddev", "quantize", "lquantize", "llquantize"};

}  // namespace

std::optional<AggregatingFunction> find_aggregating_function(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<AggregatingFunction>(std::distance(names.begin(), found));
}

std::string_view name_of(AggregatingFunction function) {
  return names.at(static_cast<std::size_t>(function));
}

std::span<const std::string_view> all_aggregating_functions() {
  return names;
}

}  // namespace kinst::d
