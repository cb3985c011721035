// The choice of buckets is DTrace's.
#include "consumer/values/buckets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace kinst::consumer {
namespace {

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
  switch (record::aggregating_function_info(aggregation.function).buckets) {
    case record::Buckets::None:
      break;
    case record::Buckets::Powers:
      return quantize_buckets(counts);
    case record::Buckets::Linear:
      return lquantize_buckets(aggregation, counts);
    case record::Buckets::LogLinear:
      return llquantize_buckets(aggregation, counts);
  }
  return {};
}

}  // namespace kinst::consumer
