// The choice of buckets and the length of bars are DTrace's, to the byte. So is the
// arithmetic in long double, because a bar's length depends on its rounding.
#include "consumer/values/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "consumer/values/aggregation.h"

namespace kinst::consumer {
namespace {

using record::AggregatingFunction;
using record::quantize_zero_bucket;

// A half-open range of buckets.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The buckets that counted, with one more on either side; nothing if none did.
std::optional<Range> range_shown(std::span<const std::int64_t> counts) {
  const auto counted = [](std::int64_t count) { return count != 0; };
  const auto first = std::ranges::find_if(counts, counted);
  if (first == counts.end()) {
    return std::nullopt;
  }
  const auto last =
      std::find_if(counts.rbegin(), counts.rend(), counted);  // from the end
  const auto begin = static_cast<std::size_t>(first - counts.begin());
  const auto end = static_cast<std::size_t>(counts.rend() - last);
  return Range{begin == 0 ? 0 : begin - 1, std::min(end + 1, counts.size())};
}

std::vector<Bucket> quantize_buckets(std::span<const std::int64_t> counts) {
  const Range range = range_shown(counts).value_or(
      Range{quantize_zero_bucket - 1, quantize_zero_bucket + 2});
  std::vector<Bucket> buckets;
  for (std::size_t place = range.begin; place < range.end; ++place) {
    const std::int64_t value = quantize_value(place);
    // The first bucket counts the smallest number, too.
    const std::int64_t far =
        value < 0 ? value + value + (place == 0 ? 0 : 1) : value + (value - 1);
    buckets.push_back({.label = std::to_string(value),
                       .count = counts[place],
                       .least = std::min(value, value == 0 ? 0 : far),
                       .most = std::max(value, value == 0 ? 0 : far)});
  }
  return buckets;
}

std::vector<Bucket> lquantize_buckets(const record::Aggregation& aggregation,
                                      std::span<const std::int64_t> counts) {
  const std::int64_t low = aggregation.parameters.at(0);
  const std::int64_t step = aggregation.parameters.at(2);
  const auto levels = static_cast<std::int64_t>(counts.size()) - 2;
  const Range range =
      range_shown(counts).value_or(Range{0, std::min<std::size_t>(3, counts.size())});
  std::vector<Bucket> buckets;
  for (std::size_t place = range.begin; place < range.end; ++place) {
    const std::int64_t level = static_cast<std::int64_t>(place) - 1;
    const std::int64_t bound = low + level * step;
    std::string label = level < 0         ? fmt::format("< {}", low)
                        : level == levels ? fmt::format(">= {}", bound)
                                          : std::to_string(bound);
    Bucket& bucket =
        buckets.emplace_back(Bucket{.label = std::move(label), .count = counts[place]});
    if (level >= 0) {
      bucket.least = bound;
    }
    if (level < levels) {
      bucket.most = bound + step - 1;
    }
  }
  return buckets;
}

std::uint64_t power(std::uint64_t base, std::int64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; --exponent) {
    result *= base;
  }
  return result;
}

// The labels of llquantize()'s buckets; empty for buckets that can never count. If no
// value was negative, they are the labels of illumos and FreeBSD, which count negative
// values in the bucket below the first bound.
std::vector<std::string> llquantize_labels(std::vector<std::uint64_t> bounds,
                                           bool shows_negative) {
  // The last bound is where the buckets end.
  const std::uint64_t end = bounds.back();
  bounds.pop_back();
  const auto label = [](std::string_view sign, std::uint64_t bound) {
    return bound == 0 ? std::string() : fmt::format("{}{}", sign, bound);
  };
  std::vector<std::string> labels{fmt::format("<= -{}", end)};
  const std::vector<std::uint64_t> descending(bounds.rbegin(), bounds.rend());
  for (const std::uint64_t bound : descending) {
    labels.push_back(label("-", bound));
  }
  const std::uint64_t smallest = bounds.front();
  labels.push_back(!shows_negative ? fmt::format("< {}", smallest)
                   : smallest == 1 ? "0"
                                   : fmt::format("abs() < {}", smallest));
  for (const std::uint64_t bound : bounds) {
    labels.push_back(label("", bound));
  }
  labels.push_back(fmt::format(">= {}", end));
  return labels;
}

// Bounds of llquantize() as signed numbers. The outermost bounds may be too large for
// these: they are less than 2 to the 64th.
constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t positive(std::uint64_t bound) {
  return static_cast<std::int64_t>(std::min(bound, largest));
}

std::int64_t negative(std::uint64_t bound) {
  return bound > largest ? std::numeric_limits<std::int64_t>::min()
                         : -static_cast<std::int64_t>(bound);
}

// The values that bucket `place` counts. bounds: of the positive buckets.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> llquantize_range(
    const std::vector<std::uint64_t>& bounds, std::size_t place) {
  const std::size_t middle = bounds.size();
  if (place == middle) {
    return {negative(bounds[0] - 1), positive(bounds[0] - 1)};
  }
  // The bucket's distance from the middle, and the next bucket outwards that can count.
  const std::size_t number = place > middle ? place - middle - 1 : middle - place - 1;
  std::size_t next = number + 1;
  while (next < bounds.size() && bounds[next] == 0) {
    ++next;
  }
  const std::uint64_t near = bounds[number];
  const std::optional<std::uint64_t> far =
      next < bounds.size() ? std::optional(bounds[next] - 1) : std::nullopt;
  if (place > middle) {
    return {positive(near), far ? std::optional(positive(*far)) : std::nullopt};
  }
  return {far ? std::optional(negative(*far)) : std::nullopt, negative(near)};
}

std::vector<Bucket> llquantize_buckets(const record::Aggregation& aggregation,
                                       std::span<const std::int64_t> counts) {
  const std::size_t middle = counts.size() / 2;
  Range range = range_shown(counts).value_or(Range{middle, middle + 2});
  const bool shows_negative =
      std::ranges::any_of(counts.first(middle), [](auto count) { return count != 0; });
  if (!shows_negative) {
    range.begin = std::max(range.begin, middle);
  }
  const auto bounds = llquantize_bounds(aggregation.parameters);
  const auto labels = llquantize_labels(bounds, shows_negative);
  // Extend the range to the next buckets that can count.
  while (range.begin > 0 && labels.at(range.begin).empty()) {
    --range.begin;
  }
  while (range.end < counts.size() && labels.at(range.end - 1).empty()) {
    ++range.end;
  }
  std::vector<Bucket> buckets;
  for (std::size_t place = range.begin; place < range.end; ++place) {
    if (!labels[place].empty()) {
      const auto [least, most] = llquantize_range(bounds, place);
      buckets.push_back({labels[place], counts[place], least, most});
    }
  }
  return buckets;
}

// A bar of at most `width` characters that grows from the left or from the right.
std::string bar(std::int64_t count, std::size_t width, const Scale& scale,
                bool from_left) {
  std::size_t length = 0;
  if (scale.total != 0) {
    const long double share =
        std::fabs(static_cast<long double>(count)) * static_cast<long double>(width);
    length = static_cast<std::size_t>(share / scale.total + 0.5L);
  }
  const std::string filled(length, '@');
  const std::string empty(width - std::min(length, width), ' ');
  return from_left ? filled + empty : empty + filled;
}

std::string drawn(std::int64_t count, const Scale& scale) {
  constexpr std::size_t width = 40;
  if (!scale.has_negative) {
    return "|" + bar(count, width, scale, true);
  }
  if (!scale.has_positive) {
    return bar(count, width, scale, false) + "|";
  }
  // Half of the width on either side.
  const std::string none(width / 2, ' ');
  return count <= 0 ? bar(count, width / 2, scale, false) + "|" + none
                    : none + "|" + bar(count, width / 2, scale, true);
}

}  // namespace

std::int64_t quantize_value(std::size_t bucket) {
  const auto distance = [](std::size_t larger, std::size_t smaller) {
    return static_cast<std::int64_t>(std::uint64_t{1} << (larger - smaller - 1));
  };
  if (bucket == quantize_zero_bucket) {
    return 0;
  }
  return bucket < quantize_zero_bucket ? -distance(quantize_zero_bucket, bucket)
                                       : distance(bucket, quantize_zero_bucket);
}

std::vector<std::uint64_t> llquantize_bounds(std::span<const std::int64_t> parameters) {
  const auto factor = static_cast<std::uint64_t>(parameters[0]);
  const std::int64_t low = parameters[1];
  const std::int64_t high = parameters[2];
  const auto steps = static_cast<std::uint64_t>(parameters[3]);
  const std::uint64_t skipped = steps / factor;
  std::vector<std::uint64_t> bounds;
  for (std::int64_t magnitude = low; magnitude <= high; ++magnitude) {
    const std::uint64_t begin = power(factor, magnitude);
    const std::uint64_t end = begin * factor;
    const std::size_t first = bounds.size();
    bounds.resize(first + steps - skipped);
    if (end < steps) {
      for (std::uint64_t value = begin; value < end; ++value) {
        bounds[first + value * steps / end - skipped] = value;
      }
      continue;
    }
    // If the steps do not divide the factor, the first bucket begins with values that
    // are not its own.
    bounds[first] = begin;
    for (std::uint64_t place = skipped + 1; place < steps; ++place) {
      bounds[first + place - skipped] = place * (end / steps);
    }
  }
  bounds.push_back(power(factor, high + 1));
  return bounds;
}

std::vector<Bucket> shown_buckets(const record::Aggregation& aggregation,
                                  std::span<const std::int64_t> counts) {
  switch (aggregation.function) {
    case AggregatingFunction::Lquantize:
      return lquantize_buckets(aggregation, counts);
    case AggregatingFunction::Llquantize:
      return llquantize_buckets(aggregation, counts);
    default:
      return quantize_buckets(counts);
  }
}

void Scale::add(std::int64_t count, bool zooms) {
  has_positive |= count > 0;
  has_negative |= count < 0;
  const long double size = std::fabs(static_cast<long double>(count));
  // The largest bar then takes 95 of 100 parts.
  constexpr long double zoomed = 1 / 0.95;
  total = zooms ? std::max(total, size * zoomed) : total + size;
}

void append_bar_line(std::string& out, std::int64_t count, const Scale& scale,
                     std::int64_t normal) {
  fmt::format_to(std::back_inserter(out), "{} {:<9}\n", drawn(count, scale),
                 divided(count, normal));
}

void append_bar_heading(std::string& out, std::size_t width) {
  fmt::format_to(std::back_inserter(out), "\n{:>{}} {:>41} {:<9}\n",
                 width == 0 ? "value" : "key", width == 0 ? 16 : width,
                 "------------- Distribution -------------", "count");
}

void append_histogram(std::string& out, const std::vector<Bucket>& buckets,
                      std::int64_t normal, const DrawingOptions& drawing) {
  append_bar_heading(out, 0);
  Scale scale;
  for (const Bucket& bucket : buckets) {
    scale.add(bucket.count, drawing.zooms);
  }
  for (const Bucket& bucket : buckets) {
    fmt::format_to(std::back_inserter(out), "{:>16} ", bucket.label);
    append_bar_line(out, bucket.count, scale, normal);
  }
}

}  // namespace kinst::consumer
