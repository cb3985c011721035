// D's aggregating functions, which the language, the generated code and the consumer
// all know.
#pragma once

#include <cstdint>

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

}  // namespace kinst::record
