// Draws distributions as bars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "consumer/values/buckets.h"

namespace kinst::consumer {

/// The options aggpack, agghist, aggzoom and encoding.
struct DrawingOptions {
  bool packs = false;     ///< quantize() and lquantize() take a line for each key
  bool heads = false;     ///< count() and sum() are drawn as bars
  bool zooms = false;     ///< the largest bar fills its column
  bool is_ascii = false;  ///< the terminal cannot show block elements

  bool operator==(const DrawingOptions&) const = default;
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

}  // namespace kinst::consumer
