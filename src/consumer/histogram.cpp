// The length of bars is DTrace's, to the byte. So is the arithmetic in long double,
// because a bar's length depends on its rounding.
#include "consumer/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "consumer/values/quotient.h"

namespace kinst::consumer {
namespace {

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
