// The sizes that a layout's parts agree on.
#include "record/layout.h"

#include <cassert>

namespace kinst::record {

std::uint32_t value_words(AggregatingFunction function,
                          const std::vector<std::int64_t>& parameters) {
  const AggregatingFunctionInfo& info = aggregating_function_info(function);
  assert(parameters.size() == info.parameters);
  switch (info.buckets) {
    case Buckets::None:
      return info.words;
    case Buckets::Powers:
      return 1 + quantize_buckets;
    case Buckets::Linear: {
      assert(parameters[2] > 0);
      const std::int64_t levels = (parameters[1] - parameters[0]) / parameters[2];
      return static_cast<std::uint32_t>(1 + levels + 2);
    }
    case Buckets::LogLinear: {
      const std::int64_t factor = parameters[0];
      const std::int64_t magnitudes = parameters[2] - parameters[1] + 1;
      const std::int64_t steps = parameters[3];
      const std::int64_t buckets = magnitudes * (steps - steps / factor);
      return static_cast<std::uint32_t>(1 + 2 * buckets + 3);
    }
  }
  return 0;
}

}  // namespace kinst::record
