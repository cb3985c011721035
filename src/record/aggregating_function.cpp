#include "record/aggregating_function.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::record {
namespace {

using Function = AggregatingFunction;

constexpr std::array rows = {
    AggregatingFunctionInfo{Function::Count, "count"},
    AggregatingFunctionInfo{Function::Sum, "sum"},
    AggregatingFunctionInfo{Function::Min, "min"},
    AggregatingFunctionInfo{Function::Max, "max"},
    AggregatingFunctionInfo{Function::Avg, "avg"},
    AggregatingFunctionInfo{Function::Stddev, "stddev"},
    AggregatingFunctionInfo{Function::Quantize, "quantize"},
    AggregatingFunctionInfo{Function::Lquantize, "lquantize"},
    AggregatingFunctionInfo{Function::Llquantize, "llquantize"},
};

}  // namespace

std::span<const AggregatingFunctionInfo> all_aggregating_functions() {
  return rows;
}

std::optional<AggregatingFunction> find_aggregating_function(std::string_view name) {
  const auto* const found =
      std::ranges::find(rows, name, &AggregatingFunctionInfo::name);
  return found == rows.end() ? std::nullopt : std::optional(found->function);
}

std::string_view name_of(AggregatingFunction function) {
  const auto* const found =
      std::ranges::find(rows, function, &AggregatingFunctionInfo::function);
  assert(found != rows.end());
  return found->name;
}

}  // namespace kinst::record
