#include "consumer/packed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>

#include "consumer/trace_text.h"

namespace kinst::consumer {
namespace {

// Texts are right-aligned in 16 columns here, not 50 as elsewhere.
constexpr std::size_t text_width = 16;

// How many columns a key of that size takes, with the blank before it.
std::size_t key_columns(const record::Value& key) {
  switch (key.bytes.size()) {
    case 1:
      return 3 + 1;
    case 2:
      return 5 + 1;
    case 4:
      return 8 + 1;
    default:
      return text_width + 1;
  }
}

void append_narrow_key(std::string& out, const Naming& naming,
                       const record::Value& key) {
  const bool is_text = !std::holds_alternative<record::Integer>(key.data) &&
                       !std::holds_alternative<record::Address>(key.data) &&
                       !std::holds_alternative<record::Frames>(key.data);
  std::string text;
  append_key(text, naming, key);
  const bool is_one_line = text.find('\n') == std::string::npos;
  if (!is_text || !is_one_line || !text.starts_with(' ')) {
    out += text;
    return;
  }
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  const std::string_view bare =
      begin == std::string::npos
          ? std::string_view()
          : std::string_view(text).substr(begin, end - begin + 1);
  fmt::format_to(std::back_inserter(out), " {:>{}}", bare, text_width);
}

void append_keys(std::string& out, const Naming& naming, const Instance& instance) {
  for (const record::Value& key : instance.keys) {
    append_narrow_key(out, naming, key);
  }
}

std::size_t heading_width(const Instance& instance) {
  std::size_t width = 0;
  for (const record::Value& key : instance.keys) {
    width += key_columns(key);
  }
  return width;
}

void append_bars(std::string& out, const Naming& naming,
                 std::span<const Instance* const> instances, std::int64_t normal) {
  append_bar_heading(out, heading_width(*instances.front()));
  Scale scale;
  for (const Instance* instance : instances) {
    scale.add(instance->data.front(), naming.drawing.zooms);
  }
  // DTrace truncates the total to an integer, so that the largest bar of small counts
  // fills the line (dt_aggregate_total).
  scale.total = std::trunc(scale.total);
  for (const Instance* instance : instances) {
    append_keys(out, naming, *instance);
    out += ' ';
    append_bar_line(out, instance->data.front(), scale, normal);
  }
}

// The buckets that all lines show, the last included.
struct BucketRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

BucketRange quantize_range(std::span<const Instance* const> instances) {
  const std::size_t count = instances.front()->data.size();
  std::size_t first = count;
  std::size_t last = 0;
  for (const Instance* instance : instances) {
    for (std::size_t bucket = 0; bucket < instance->data.size(); ++bucket) {
      if (instance->data[bucket] != 0) {
        first = std::min(first, bucket);
        last = std::max(last, bucket);
      }
    }
  }
  if (first == count) {
    first = last = record::quantize_zero_bucket;
  }
  if (first != 0 && first != record::quantize_zero_bucket) {
    --first;
  }
  return {first, std::min(last + 1, count - 1)};
}

// At least 4, as "min" and "max" stand above.
std::size_t digits(std::int64_t value) {
  return std::max<std::size_t>(4, std::to_string(value).size());
}

// A character whose height shows the count: one of eight blocks, or one of a few
// letters.
void append_level(std::string& out, std::int64_t count, long double total,
                  bool is_ascii) {
  constexpr std::array<std::string_view, 8> blocks = {"▁", "▂", "▃", "▄",
                                                      "▅", "▆", "▇", "█"};
  constexpr std::string_view letters = "__xxxxXX";
  constexpr std::string_view negative = "vvvvVV";
  const auto level = [&](std::size_t levels) {
    const long double size = std::fabs(static_cast<long double>(count)) *
                             static_cast<long double>(levels - 1) / total;
    return std::min(static_cast<std::size_t>(size + 0.5L), levels - 1);
  };
  if (count == 0) {
    out += ' ';
  } else if (count < 0) {
    out += negative[level(negative.size())];
  } else if (is_ascii) {
    out += letters[level(letters.size())];
  } else {
    out += blocks.at(level(blocks.size()));
  }
}

void append_packed(std::string& out, std::span<const std::int64_t> counts,
                   const DrawingOptions& drawing) {
  Scale scale;
  for (const std::int64_t count : counts) {
    scale.add(count, drawing.zooms);
  }
  for (const std::int64_t count : counts) {
    append_level(out, count, scale.total, drawing.is_ascii);
  }
}

std::int64_t sum_of(std::span<const std::int64_t> counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) {
    sum += count;
  }
  return sum;
}

void append_packed_heading(std::string& out, const Instance& instance,
                           std::size_t least_width, std::size_t most_width,
                           std::size_t buckets) {
  const std::size_t width = heading_width(instance);
  fmt::format_to(std::back_inserter(out), "\n{:>{}} {:>{}} .{}. {:<{}} | count\n",
                 width > 0 ? "key" : "", width, "min", least_width,
                 std::string(buckets, '-'), "max", most_width);
}

void append_quantize(std::string& out, const Naming& naming,
                     std::span<const Instance* const> instances) {
  const BucketRange range = quantize_range(instances);
  const std::size_t count = range.last - range.first + 1;
  const std::int64_t least = quantize_value(range.first);
  const std::int64_t most = quantize_value(range.last);
  append_packed_heading(out, *instances.front(), digits(least), digits(most), count);
  for (const Instance* instance : instances) {
    const auto shown =
        std::span<const std::int64_t>(instance->data).subspan(range.first, count);
    append_keys(out, naming, *instance);
    fmt::format_to(std::back_inserter(out), " {:>{}} :", least, digits(least));
    append_packed(out, shown, naming.drawing);
    fmt::format_to(std::back_inserter(out), ": {:<{}} | {}\n", most, digits(most),
                   sum_of(shown));
  }
}

void append_lquantize(std::string& out, const Naming& naming,
                      const record::Aggregation& aggregation,
                      std::span<const Instance* const> instances) {
  const std::size_t count = instances.front()->data.size();
  const std::int64_t low = aggregation.parameters.at(0);
  const std::int64_t step = aggregation.parameters.at(2);
  const std::int64_t high = low + static_cast<std::int64_t>(count - 2) * step;
  append_packed_heading(out, *instances.front(), 7, 8, count);
  for (const Instance* instance : instances) {
    append_keys(out, naming, *instance);
    fmt::format_to(std::back_inserter(out), "{:>8} :", fmt::format("< {}", low));
    append_packed(out, instance->data, naming.drawing);
    fmt::format_to(std::back_inserter(out), ": {:<8} | {}\n",
                   fmt::format(">= {}", high), sum_of(instance->data));
  }
}

}  // namespace

bool is_drawn_by_key(const record::Aggregation& aggregation,
                     const DrawingOptions& drawing) {
  switch (record::aggregating_function_info(aggregation.function).line) {
    case record::LineDrawing::None:
      return false;
    case record::LineDrawing::Bar:
      return drawing.heads;
    case record::LineDrawing::Buckets:
      return drawing.packs;
  }
  return false;
}

void append_by_key(std::string& out, const Naming& naming,
                   const record::Aggregation& aggregation,
                   std::span<const Instance* const> instances, std::int64_t normal) {
  if (instances.empty()) {
    return;
  }
  switch (record::aggregating_function_info(aggregation.function).buckets) {
    case record::Buckets::None:
      append_bars(out, naming, instances, normal);
      return;
    case record::Buckets::Powers:
      append_quantize(out, naming, instances);
      return;
    case record::Buckets::Linear:
      append_lquantize(out, naming, aggregation, instances);
      return;
    case record::Buckets::LogLinear:
      return;  // has no such drawing
  }
}

}  // namespace kinst::consumer
