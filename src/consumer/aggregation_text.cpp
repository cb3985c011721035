#include "consumer/aggregation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "consumer/histogram.h"
#include "consumer/packed.h"
#include "consumer/printf.h"
#include "consumer/trace_text.h"

namespace kinst::consumer {
namespace {

// What a row prints: a key, and one value for each aggregation asked for.
struct Line {
  std::span<const record::Value> keys;
  std::vector<std::span<const std::int64_t>> data;
};

void append_column(std::string& out, const Naming& naming,
                   const Aggregations& aggregations, std::uint32_t number,
                   std::span<const std::int64_t> data) {
  const record::Aggregation& layout = aggregations.layout(number);
  const std::int64_t normal = aggregations.normal(number);
  if (is_distribution(layout.function)) {
    append_histogram(out, shown_buckets(layout, data), normal, naming.drawing);
  } else {
    fmt::format_to(std::back_inserter(out), " {:>16}", number_of(layout, data, normal));
  }
}

void append_columns(std::string& out, const Naming& naming,
                    const Aggregations& aggregations,
                    std::span<const std::uint32_t> numbers, const Line& line) {
  for (const record::Value& key : line.keys) {
    append_key(out, naming, key);
  }
  for (std::size_t column = 0; column < numbers.size(); ++column) {
    append_column(out, naming, aggregations, numbers[column], line.data[column]);
  }
  out += '\n';
}

// Each '%@' takes the next aggregation, those beyond the last one the last again.
void append_formatted(std::string& out, const Naming& naming,
                      const Aggregations& aggregations, const Printa& request,
                      const Line& line) {
  std::size_t next = 0;
  const auto append_value = [&](std::string& text, const record::Directive& directive,
                                const CFormat& format) {
    const std::size_t column = std::min(next++, line.data.size() - 1);
    const std::uint32_t number = request.aggregations[column];
    const record::Aggregation& layout = aggregations.layout(number);
    if (is_distribution(layout.function)) {
      append_column(text, naming, aggregations, number, line.data[column]);
      return;
    }
    const auto value = static_cast<std::uint64_t>(
        number_of(layout, line.data[column], aggregations.normal(number)));
    append_integer(
        text, format, *directive.conversion,
        {value, 8, record::aggregating_function_info(layout.function).is_signed});
  };
  append_format(out, naming, *request.format, line.keys, append_value);
}

void append_line(std::string& out, const Naming& naming,
                 const Aggregations& aggregations, const Printa& request,
                 const Line& line) {
  if (request.format == nullptr) {
    append_columns(out, naming, aggregations, request.aggregations, line);
  } else {
    append_formatted(out, naming, aggregations, request, line);
  }
}

}  // namespace

void append_printa(std::string& out, const Naming& naming, Aggregations& aggregations,
                   const Printa& request, const SortOptions& sort) {
  if (request.format == nullptr) {
    out += '\n';
  }
  bool has_any = false;
  if (request.aggregations.size() == 1) {
    const std::uint32_t number = request.aggregations.front();
    const std::vector<const Instance*> instances = aggregations.sorted(number, sort);
    has_any = !instances.empty();
    if (request.format == nullptr &&
        is_drawn_by_key(aggregations.layout(number), naming.drawing)) {
      append_by_key(out, naming, aggregations.layout(number), instances,
                    aggregations.normal(number));
    } else {
      for (const Instance* instance : instances) {
        append_line(out, naming, aggregations, request,
                    {instance->keys, {instance->data}});
      }
    }
  } else {
    for (const Aggregations::Row& row :
         aggregations.joined(request.aggregations, sort)) {
      append_line(out, naming, aggregations, request,
                  {row.representative->keys, {row.data.begin(), row.data.end()}});
      has_any = true;
    }
  }
  for (const std::uint32_t number : request.aggregations) {
    if (has_any) {
      aggregations.mark_printed(number);
    }
  }
}

void append_unprinted(std::string& out, const Naming& naming,
                      const Aggregations& aggregations, const SortOptions& sort) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < aggregations.count(); ++number) {
    if (!aggregations.was_printed(number)) {
      numbers.push_back(number);
    }
  }
  if (sort.reversed) {
    std::ranges::reverse(numbers);
  }
  for (const std::uint32_t number : numbers) {
    const std::vector<const Instance*> instances = aggregations.sorted(number, sort);
    if (is_drawn_by_key(aggregations.layout(number), naming.drawing)) {
      append_by_key(out, naming, aggregations.layout(number), instances,
                    aggregations.normal(number));
      continue;
    }
    for (const Instance* instance : instances) {
      append_columns(out, naming, aggregations, std::span(&number, 1),
                     {instance->keys, {instance->data}});
    }
  }
}

}  // namespace kinst::consumer
