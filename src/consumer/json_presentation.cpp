#include "consumer/json_presentation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/json_text.h"
#include "consumer/json_value.h"
#include "consumer/printf.h"
#include "consumer/values/aggregation.h"
#include "consumer/values/buckets.h"
#include "consumer/values/quotient.h"

namespace kinst::consumer {
namespace {

void append_bound(std::string& out, std::string_view name,
                  const std::optional<std::int64_t>& bound) {
  if (bound) {
    fmt::format_to(std::back_inserter(out), "\"{}\":{},", name, *bound);
  }
}

void append_buckets(std::string& out, const std::vector<Bucket>& buckets,
                    std::int64_t normal) {
  out += '[';
  bool is_first = true;
  for (const Bucket& bucket : buckets) {
    out += is_first ? "{" : ",{";
    is_first = false;
    append_bound(out, "least", bucket.least);
    append_bound(out, "most", bucket.most);
    fmt::format_to(std::back_inserter(out), "\"count\":{}}}",
                   divided(bucket.count, normal));
  }
  out += ']';
}

void append_value(std::string& out, const Aggregations& aggregations,
                  std::uint32_t number, std::span<const std::int64_t> data) {
  const record::Aggregation& layout = aggregations.layout(number);
  const std::int64_t normal = aggregations.normal(number);
  if (is_distribution(layout.function)) {
    append_buckets(out, shown_buckets(layout, data), normal);
    return;
  }
  const std::int64_t value = number_of(layout, data, normal);
  out += record::aggregating_function_info(layout.function).is_signed
             ? std::to_string(value)
             : std::to_string(static_cast<std::uint64_t>(value));
}

}  // namespace

void JsonPresentation::begin(std::string& out, const Firing& firing) {
  is_in_record_ = true;
  out += R"({"type":"record","probe":)";
  append_json_probe(out, firing.probe);
  fmt::format_to(std::back_inserter(out), R"(,"cpu":{},"thread":{},"actions":[)",
                 firing.cpu, firing.thread);
  has_actions_ = false;
}

void JsonPresentation::end(std::string& out) {
  out += "]}\n";
  out += std::exchange(lines_after_record_, {});
  is_in_record_ = false;
}

void JsonPresentation::begin_action(std::string& out, std::string_view name) {
  fmt::format_to(std::back_inserter(out), R"({}{{"action":"{}")",
                 has_actions_ ? "," : "", name);
  has_actions_ = true;
}

void JsonPresentation::append_values(std::string& out,
                                     std::span<const record::Value> values) const {
  out += '[';
  for (std::size_t place = 0; place < values.size(); ++place) {
    out += place == 0 ? "" : ",";
    append_json_value(out, names_, table_, values[place]);
  }
  out += ']';
}

void JsonPresentation::trace(std::string& out, const record::Value& value) {
  begin_action(out, "trace");
  out += ",\"value\":";
  append_json_value(out, names_, table_, value);
  out += '}';
}

void JsonPresentation::tracemem(std::string& out, std::span<const std::byte> bytes) {
  begin_action(out, "tracemem");
  out += ",\"bytes\":";
  append_json_bytes(out, bytes);
  out += '}';
}

void JsonPresentation::print(std::string& out, std::span<const record::Value> values) {
  begin_action(out, "print");
  const record::Value& value = values.back();
  out += ",\"type\":";
  append_json_string(out, table_.name_of(value.type));
  if (values.size() > 1) {
    out += ",\"address\":";
    append_json_value(out, names_, table_, values.front());
  }
  out += ",\"value\":";
  const auto shown = std::min<std::uint64_t>(value.bytes.size(), options_.print_bytes);
  append_json_value(out, table_, value.type, value.bytes.first(shown));
  out += '}';
}

void JsonPresentation::printf(std::string& out, const Formatted& formatted) {
  begin_action(out, "printf");
  std::string text;
  append_format(text, {names_, options_.stack_indent}, *formatted.format,
                formatted.values);
  out += ",\"text\":";
  append_json_string(out, text);
  out += ",\"arguments\":";
  append_values(out, formatted.values);
  out += '}';
}

void JsonPresentation::printa(std::string& out, Aggregations& aggregations,
                              const Printa& request) {
  begin_action(out, "printa");
  if (request.format != nullptr) {
    std::string text;
    append_printa(text, {names_, options_.stack_indent}, aggregations, request,
                  options_.sort);
    out += ",\"text\":";
    append_json_string(out, text);
  }
  out += ",\"aggregations\":[";
  bool is_first = true;
  for (const std::uint32_t number : request.aggregations) {
    out += is_first ? "" : ",";
    is_first = false;
    append_aggregation(out, aggregations, number);
    aggregations.mark_printed(number);
  }
  out += "]}";
}

void JsonPresentation::exit(std::string& out, std::int32_t status) {
  begin_action(out, "exit");
  fmt::format_to(std::back_inserter(out), ",\"status\":{}}}", status);
}

void JsonPresentation::append_aggregation(std::string& out,
                                          const Aggregations& aggregations,
                                          std::uint32_t number) const {
  const record::Aggregation& layout = aggregations.layout(number);
  out += "{\"name\":";
  append_json_string(out, layout.name);
  fmt::format_to(std::back_inserter(out), R"(,"function":"{}","normal":{},"entries":[)",
                 name_of(layout.function), aggregations.normal(number));
  bool is_first = true;
  for (const Instance* instance : aggregations.sorted(number, options_.sort)) {
    out += is_first ? "{\"keys\":" : ",{\"keys\":";
    is_first = false;
    append_values(out, instance->keys);
    out += is_distribution(layout.function) ? ",\"buckets\":" : ",\"value\":";
    append_value(out, aggregations, number, instance->data);
    out += '}';
  }
  out += "]}";
}

void JsonPresentation::finish(std::string& out, const Aggregations& aggregations) {
  for (std::uint32_t number = 0; number < aggregations.count(); ++number) {
    if (!aggregations.was_printed(number) &&
        !aggregations.sorted(number, options_.sort).empty()) {
      out += R"({"type":"aggregation","aggregation":)";
      append_aggregation(out, aggregations, number);
      out += "}\n";
    }
  }
}

void JsonPresentation::add_line(std::string& out, const std::string& line) {
  (is_in_record_ ? lines_after_record_ : out) += line;
}

std::string JsonPresentation::error(std::string& out, const kinst_error_record& error) {
  std::string line = R"({"type":"error","probe":)";
  append_json_probe(line, names_.probe(error.header.probe));
  fmt::format_to(std::back_inserter(line),
                 ",\"clause\":{},\"statement\":{},\"place\":{},\"fault\":\"{}\","
                 "\"address\":{},\"message\":",
                 error.clause, error.action, error.place, fault_text(error.fault),
                 error.address);
  append_json_string(line, error_message(names_, error));
  add_line(out, line + "}\n");
  return {};
}

std::string JsonPresentation::drop(std::string& out, const Drop& drop) {
  std::string line = fmt::format(R"({{"type":"drop","tag":"{}","count":{},"message":)",
                                 drop.tag, drop.count);
  append_json_string(line, drop.message);
  add_line(out, line + "}\n");
  return {};
}

std::string JsonPresentation::fault(std::string& out, std::string_view message) {
  std::string line = R"({"type":"error","message":)";
  append_json_string(line, message);
  add_line(out, line + "}\n");
  return {};
}

}  // namespace kinst::consumer
