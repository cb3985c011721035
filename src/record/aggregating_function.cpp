#include "record/aggregating_function.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::record {
namespace {

using Function = AggregatingFunction;

constexpr auto rows = std::to_array<AggregatingFunctionInfo>({
    {.function = Function::Count,
     .name = "count",
     .prototype = "void()",
     .words = 1,
     .keeps_updates = true,
     .is_signed = false,
     .line = LineDrawing::Bar},
    {.function = Function::Sum, .name = "sum", .words = 2, .line = LineDrawing::Bar},
    {.function = Function::Min,
     .name = "min",
     .words = 2,
     .combination = Combination::Smallest},
    {.function = Function::Max,
     .name = "max",
     .words = 2,
     .combination = Combination::Largest},
    {.function = Function::Avg, .name = "avg", .words = 2, .keeps_updates = true},
    {.function = Function::Stddev,
     .name = "stddev",
     .words = 4,
     .combination = Combination::SumsAndSquares,
     .keeps_updates = true},
    {.function = Function::Quantize,
     .name = "quantize",
     .prototype = "void(@, [int64_t])",
     .buckets = Buckets::Powers,
     .line = LineDrawing::Buckets},
    {.function = Function::Lquantize,
     .name = "lquantize",
     .prototype = "void(@, int32_t, int32_t, [int64_t], [int64_t])",
     .parameters = 3,
     .buckets = Buckets::Linear,
     .line = LineDrawing::Buckets},
    {.function = Function::Llquantize,
     .name = "llquantize",
     .prototype = "void(@, int32_t, int32_t, int32_t, int32_t, [int64_t])",
     .parameters = 4,
     .buckets = Buckets::LogLinear},
});

}  // namespace

std::span<const AggregatingFunctionInfo> all_aggregating_functions() {
  return rows;
}

std::optional<AggregatingFunction> find_aggregating_function(std::string_view name) {
  const auto* const found =
      std::ranges::find(rows, name, &AggregatingFunctionInfo::name);
  return found == rows.end() ? std::nullopt : std::optional(found->function);
}

const AggregatingFunctionInfo& aggregating_function_info(AggregatingFunction function) {
  const auto* const found =
      std::ranges::find(rows, function, &AggregatingFunctionInfo::function);
  assert(found != rows.end());
  return *found;
}

std::string_view name_of(AggregatingFunction function) {
  return aggregating_function_info(function).name;
}

bool is_distribution(AggregatingFunction function) {
  return aggregating_function_info(function).buckets != Buckets::None;
}

}  // namespace kinst::record
