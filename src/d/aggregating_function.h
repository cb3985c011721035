// D's aggregating functions by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "record/aggregating_function.h"

namespace kinst::d {

using record::AggregatingFunction;

std::optional<AggregatingFunction> find_aggregating_function(std::string_view name);
std::string_view name_of(AggregatingFunction function);
/// Their names.
std::span<const std::string_view> all_aggregating_functions();

}  // namespace kinst::d
