// Draws distributions: the buckets of quantize(), lquantize() and llquantize().
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
  /// The smallest and the largest value that it counts; nothing if there is no bound.
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
};

/// The buckets to show: all between the first and the last that counted something, and
/// one more on either side. If no bucket counted anything, the buckets around zero.
/// counts: one for each bucket of the aggregation, in the order of record/layout.h.
std::vector<Bucket> shown_buckets(const record::Aggregation& aggregation,
                                  std::span<const std::int64_t> counts);

/// The options aggpack, agghist and aggzoom.
struct DrawingOptions {
  bool packs = false;     ///< quantize() and lquantize() take a line for each key
  bool heads = false;     ///< count() and sum() are drawn as bars
  bool zooms = false;     ///< the largest bar fills its column
  bool is_ascii = false;  ///< the terminal cannot show block elements
};

/// The scale of bars: the sum of all counts or, with `zooms`, the largest count.
struct Scale {
  bool has_positive = false;
  bool has_negative = false;
  long double total = 0;

  void add(std::int64_t count, bool zooms);
};

/// Appends a bar of 40 characters, in which negative counts grow to the left, and the
/// count divided by `normal`, which must not be 0.
void append_bar_line(std::string& out, std::int64_t count, const Scale& scale,
                     std::int64_t normal);

/// Appends the heading of bars.
/// width: of the column of keys, which is titled "key"; 0: the column has values, and
/// is titled "value".
void append_bar_heading(std::string& out, std::size_t width);

/// Appends the drawing, with a line break before it, each count divided by `normal`.
void append_histogram(std::string& out, const std::vector<Bucket>& buckets,
                      std::int64_t normal, const DrawingOptions& drawing = {});

/// The value by which quantize() sorts a bucket: its lower bound, or its upper bound if
/// it is negative.
std::int64_t quantize_value(std::size_t bucket);

/// The lower bounds of llquantize()'s positive buckets, in order, and the end of the
/// last bucket. 0 for a bucket that can never count: between 1 and the factor there may
/// be fewer integers than steps.
/// parameters: factor, low, high, steps.
std::vector<std::uint64_t> llquantize_bounds(std::span<const std::int64_t> parameters);

}  // namespace kinst::consumer
