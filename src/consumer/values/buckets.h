// The buckets of quantize(), lquantize() and llquantize(): which are shown, and which
// values each counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/layout.h"

namespace kinst::consumer {

/// A bucket as it is shown.
struct Bucket {
  std::string label;  ///< "-1", "< 0", ">= 100"
  std::int64_t count = 0;
  /// The smallest and the largest value that it counts; nothing if there is no bound.
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
};

/// The buckets to show: all between the first and the last that counted something, and
/// one more on either side. If no bucket counted anything, the buckets around zero.
/// counts: one for each bucket of the aggregation, in the order of record/layout.h.
std::vector<Bucket> shown_buckets(const record::Aggregation& aggregation,
                                  std::span<const std::int64_t> counts);

/// The value by which quantize() sorts a bucket: its lower bound, or its upper bound if
/// it is negative.
std::int64_t quantize_value(std::size_t bucket);

/// The lower bounds of llquantize()'s positive buckets, in order, and the end of the
/// last bucket. 0 for a bucket that can never count: between 1 and the factor there may
/// be fewer integers than steps.
/// parameters: factor, low, high, steps.
std::vector<std::uint64_t> llquantize_bounds(std::span<const std::int64_t> parameters);

}  // namespace kinst::consumer
