// Division of what aggregations print.
#pragma once

#include <cstdint>

namespace kinst::consumer {

/// The quotient. The smallest number divided by -1 wraps, which is undefined in C++.
/// divisor: not 0.
inline std::int64_t divided(std::int64_t value, std::int64_t divisor) {
  return divisor == -1 ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(value))
                       : value / divisor;
}

}  // namespace kinst::consumer
