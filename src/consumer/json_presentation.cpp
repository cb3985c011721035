#include "consumer/json_presentation.h"

#include <algorithm>
#include <utility>

#include "consumer/json_value.h"
#include "consumer/printf.h"
#include "consumer/values/aggregation.h"
#include "consumer/values/buckets.h"
#include "consumer/values/quotient.h"

namespace kinst::consumer {
namespace {

void write_buckets(JsonWriter& json, const std::vector<Bucket>& buckets,
                   std::int64_t normal) {
  json.begin_array();
  for (const Bucket& bucket : buckets) {
    json.begin_object();
    if (bucket.least) {
      json.member("least", *bucket.least);
    }
    if (bucket.most) {
      json.member("most", *bucket.most);
    }
    json.member("count", divided(bucket.count, normal));
    json.end_object();
  }
  json.end_array();
}

// The member that holds what an aggregating function has come to.
void write_result(JsonWriter& json, const Aggregations& aggregations,
                  std::uint32_t number, std::span<const std::int64_t> data) {
  const record::Aggregation& layout = aggregations.layout(number);
  const std::int64_t normal = aggregations.normal(number);
  if (is_distribution(layout.function)) {
    json.key("buckets");
    write_buckets(json, shown_buckets(layout, data), normal);
    return;
  }
  json.key("value");
  const std::int64_t value = number_of(layout, data, normal);
  if (record::aggregating_function_info(layout.function).is_signed) {
    json.value(value);
  } else {
    json.value(static_cast<std::uint64_t>(value));
  }
}

}  // namespace

void JsonPresentation::begin(std::string& out, const Firing& firing) {
  JsonWriter& json = record_.emplace(out);
  json.begin_object();
  json.member("type", "record");
  json.key("probe");
  write_probe(json, firing.probe);
  json.member("cpu", firing.cpu);
  json.member("thread", firing.thread);
  json.key("actions");
  json.begin_array();
}

void JsonPresentation::end(std::string& out) {
  record_->end_array();
  record_->end_object();
  record_.reset();
  out += '\n';
  out += std::exchange(lines_after_record_, {});
}

JsonWriter& JsonPresentation::begin_action(std::string_view name) {
  record_->begin_object();
  record_->member("action", name);
  return *record_;
}

void JsonPresentation::write_values(JsonWriter& json,
                                    std::span<const record::Value> values) const {
  json.begin_array();
  for (const record::Value& value : values) {
    write_value(json, names_, table_, value);
  }
  json.end_array();
}

void JsonPresentation::trace(std::string& /*out*/, const record::Value& value) {
  JsonWriter& json = begin_action("trace");
  json.key("value");
  write_value(json, names_, table_, value);
  json.end_object();
}

void JsonPresentation::tracemem(std::string& /*out*/,
                                std::span<const std::byte> bytes) {
  JsonWriter& json = begin_action("tracemem");
  json.key("bytes");
  write_bytes(json, bytes);
  json.end_object();
}

void JsonPresentation::print(std::string& /*out*/,
                             std::span<const record::Value> values) {
  JsonWriter& json = begin_action("print");
  const record::Value& value = values.back();
  json.member("type", table_.name_of(value.type));
  if (values.size() > 1) {
    json.key("address");
    write_value(json, names_, table_, values.front());
  }
  json.key("value");
  const auto shown = std::min<std::uint64_t>(value.bytes.size(), options_.print_bytes);
  write_value(json, table_, value.type, value.bytes.first(shown));
  json.end_object();
}

void JsonPresentation::printf(std::string& /*out*/, const Formatted& formatted) {
  JsonWriter& json = begin_action("printf");
  std::string text;
  append_format(text, {names_, options_.stack_indent}, *formatted.format,
                formatted.values);
  json.member("text", text);
  json.key("arguments");
  write_values(json, formatted.values);
  json.end_object();
}

void JsonPresentation::printa(std::string& /*out*/, Aggregations& aggregations,
                              const Printa& request) {
  JsonWriter& json = begin_action("printa");
  if (request.format != nullptr) {
    std::string text;
    append_printa(text, {names_, options_.stack_indent}, aggregations, request,
                  options_.sort);
    json.member("text", text);
  }
  json.key("aggregations");
  json.begin_array();
  for (const std::uint32_t number : request.aggregations) {
    write_aggregation(json, aggregations, number);
    aggregations.mark_printed(number);
  }
  json.end_array();
  json.end_object();
}

void JsonPresentation::exit(std::string& /*out*/, std::int32_t status) {
  JsonWriter& json = begin_action("exit");
  json.member("status", status);
  json.end_object();
}

void JsonPresentation::write_aggregation(JsonWriter& json,
                                         const Aggregations& aggregations,
                                         std::uint32_t number) const {
  const record::Aggregation& layout = aggregations.layout(number);
  json.begin_object();
  json.member("name", layout.name);
  json.member("function", name_of(layout.function));
  json.member("normal", aggregations.normal(number));
  json.key("entries");
  json.begin_array();
  for (const Instance* instance : aggregations.sorted(number, options_.sort)) {
    json.begin_object();
    json.key("keys");
    write_values(json, instance->keys);
    write_result(json, aggregations, number, instance->data);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

template <typename WriteMembers>
void JsonPresentation::add_line(std::string& out, std::string_view type,
                                WriteMembers write_members) {
  append_json_line(record_ ? lines_after_record_ : out, type, write_members);
}

void JsonPresentation::finish(std::string& out, const Aggregations& aggregations) {
  for (std::uint32_t number = 0; number < aggregations.count(); ++number) {
    if (!aggregations.was_printed(number) &&
        !aggregations.sorted(number, options_.sort).empty()) {
      add_line(out, "aggregation", [&](JsonWriter& json) {
        json.key("aggregation");
        write_aggregation(json, aggregations, number);
      });
    }
  }
}

std::string JsonPresentation::error(std::string& out, const kinst_error_record& error) {
  add_line(out, "error", [&](JsonWriter& json) {
    json.key("probe");
    write_probe(json, names_.probe(error.header.probe));
    json.member("clause", error.clause);
    json.member("statement", error.action);
    json.member("place", error.place);
    json.member("fault", fault_text(error.fault));
    json.member("address", error.address);
    json.member("message", error_message(names_, error));
  });
  return {};
}

std::string JsonPresentation::drop(std::string& out, const Drop& drop) {
  add_line(out, "drop", [&](JsonWriter& json) {
    json.member("tag", drop.tag);
    json.member("count", drop.count);
    json.member("message", drop.message);
  });
  return {};
}

std::string JsonPresentation::fault(std::string& out, std::string_view message) {
  add_line(out, "error", [&](JsonWriter& json) { json.member("message", message); });
  return {};
}

}  // namespace kinst::consumer
