// Distributions: the buckets of quantize(), lquantize() and llquantize(), and their
// drawing.
#pragma once

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
  /// The values that it counts, both included; nothing where there is no bound.
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
};

/// The buckets from the one before the first that counted anything to the one after the
/// last; those about zero when none did.
/// counts: one for each bucket of the aggregation, in the order of record/layout.h.
std::vector<Bucket> shown_buckets(const record::Aggregation& aggregation,
                                  std::span<const std::int64_t> counts);

/// Appends the drawing, with a line break before it, each count divided by `normal`,
/// which is not 0. Bars are of 40 characters for all counts together; negative counts
/// grow to the left.
void append_histogram(std::string& out, const std::vector<Bucket>& buckets,
                      std::int64_t normal);

/// The bucket's value that quantize() sorts by: its lower bound, for negative ones its
/// upper.
std::int64_t quantize_value(std::size_t bucket);

/// The lower bounds of llquantize()'s positive buckets in order, and where they end; 0
/// for a bucket that can never count, as between 1 and the factor there may be fewer
/// integers than steps.
/// parameters: factor, low, high, steps.
std::vector<std::uint64_t> llquantize_bounds(std::span<const std::int64_t> parameters);

}  // namespace kinst::consumer
