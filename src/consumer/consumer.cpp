#include "consumer/consumer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "consumer/printf.h"

namespace kinst::consumer {
namespace {

using record::ActionKind;
using record::DecodedAction;
using record::DecodedRecord;

std::int64_t integer_of(const DecodedAction& action) {
  if (action.values.empty()) {
    return 0;
  }
  const auto* integer = std::get_if<record::Integer>(&action.values.front().data);
  return integer == nullptr ? 0 : static_cast<std::int64_t>(integer->value);
}

bool is_on_speculation(const DecodedAction& action) {
  return action.action->kind == ActionKind::Commit ||
         action.action->kind == ActionKind::Discard;
}

// Whether the record is shown. It is not if the clause only commits or discards, or if
// none of its actions has run.
bool is_shown(const DecodedRecord& record) {
  return record.layout->is_default ||
         std::ranges::any_of(record.actions, [](const DecodedAction& action) {
           return !is_on_speculation(action);
         });
}

// The bytes that tracemem() shows: as many as its second argument says, if it has one.
// A negative number means all bytes, as in DTrace.
std::span<const std::byte> valid_bytes(const DecodedAction& action) {
  const std::span<const std::byte> bytes = action.values.front().bytes;
  if (action.values.size() < 2) {
    return bytes;
  }
  const auto* count = std::get_if<record::Integer>(&action.values[1].data);
  if (count == nullptr ||
      (count->is_signed && static_cast<std::int64_t>(count->value) < 0)) {
    return bytes;
  }
  return bytes.first(std::min<std::uint64_t>(count->value, bytes.size()));
}

}  // namespace

Result<Consumer> Consumer::make(Parts parts) {
  Consumer consumer(std::move(parts));
  for (const record::Layout& layout : consumer.parts_.layouts.clauses) {
    for (const record::Action& action : layout.actions) {
      if (action.format.empty()) {
        continue;
      }
      auto format = record::parse_format(action.format);
      if (!format) {
        return error("cannot use the format \"{}\": {}", action.format,
                     format.error().message);
      }
      consumer.formats_.emplace(&action, std::move(*format));
    }
  }
  return consumer;
}

Result<void> Consumer::consume(std::span<const std::byte> bytes) {
  const auto decoded = KINST_TRY(record::decode(parts_.table, parts_.layouts, bytes));
  if (const auto* fault = std::get_if<kinst_error_record>(&decoded)) {
    tell(parts_.presentation.error(parts_.output.text(), *fault));
    return {};
  }
  const auto& record = std::get<DecodedRecord>(decoded);
  if (record.layout->is_speculative) {
    speculate(record.header.speculation, bytes);
    return {};
  }
  return consume_record(record);
}

Result<void> Consumer::consume_record(const DecodedRecord& record) {
  KINST_CHECK(refresh_aggregations(record));
  const bool shown = is_shown(record);
  if (shown) {
    parts_.presentation.begin(parts_.output.text(),
                              Firing{.probe = parts_.names.probe(record.header.probe),
                                     .key = record.header.probe,
                                     .clause = record.header.clause,
                                     .cpu = record.header.cpu,
                                     .thread = record.header.tid});
  }
  const Result<void> performed = perform_all(record);
  if (shown) {
    parts_.presentation.end(parts_.output.text());
  }
  KINST_CHECK(performed);
  // Committed records are shown after the record that commits them.
  return settle_speculations(record);
}

Result<void> Consumer::refresh_aggregations(const DecodedRecord& record) {
  const bool is_needed = std::ranges::any_of(
      record.actions,
      [](const DecodedAction& action) { return !action.action->aggregations.empty(); });
  const auto now = std::chrono::steady_clock::now();
  if (!is_needed ||
      (refreshed_ && now - *refreshed_ < parts_.options.aggregation_interval)) {
    return {};
  }
  refreshed_ = now;
  return parts_.aggregations.refresh();
}

Result<void> Consumer::settle_speculations(const DecodedRecord& record) {
  for (const DecodedAction& action : record.actions) {
    const auto speculation = static_cast<std::uint32_t>(integer_of(action));
    if (action.action->kind == ActionKind::Discard) {
      speculations_.erase(speculation);
    } else if (action.action->kind == ActionKind::Commit) {
      KINST_CHECK(commit(speculation));
    }
  }
  return {};
}

// Records of speculation 0 are dropped silently, because speculate(0) does nothing.
void Consumer::speculate(std::uint32_t speculation, std::span<const std::byte> bytes) {
  if (speculation != 0) {
    speculations_[speculation].emplace_back(bytes.begin(), bytes.end());
  }
}

Result<void> Consumer::commit(std::uint32_t speculation) {
  const std::vector<std::vector<std::byte>> records =
      std::move(speculations_[speculation]);
  speculations_.erase(speculation);
  for (const std::vector<std::byte>& bytes : records) {
    const auto decoded = KINST_TRY(record::decode(parts_.table, parts_.layouts, bytes));
    KINST_CHECK(consume_record(std::get<DecodedRecord>(decoded)));
  }
  return {};
}

Result<void> Consumer::perform_all(const DecodedRecord& record) {
  for (const DecodedAction& action : record.actions) {
    KINST_CHECK(perform(action));
  }
  return {};
}

Result<void> Consumer::perform(const DecodedAction& action) {
  std::string& out = parts_.output.text();
  Presentation& presentation = parts_.presentation;
  const std::vector<std::uint32_t>& aggregations = action.action->aggregations;
  switch (action.action->kind) {
    case ActionKind::Trace:
      for (const record::Value& value : action.values) {
        presentation.trace(out, value);
      }
      return {};
    case ActionKind::Tracemem:
      presentation.tracemem(out, valid_bytes(action));
      return {};
    case ActionKind::Print:
      presentation.print(out, action.values);
      return {};
    case ActionKind::Printf:
      if (const record::Format* format = format_of(*action.action)) {
        presentation.printf(out, {format, action.values});
      }
      return {};
    case ActionKind::Printa:
      presentation.printa(out, parts_.aggregations,
                          {aggregations, format_of(*action.action)});
      return {};
    case ActionKind::Clear:
      return parts_.aggregations.clear(aggregations.front());
    case ActionKind::Trunc:
      return parts_.aggregations.truncate(aggregations.front(), integer_of(action));
    case ActionKind::Normalize:
      parts_.aggregations.normalize(aggregations.front(), integer_of(action));
      return {};
    case ActionKind::Denormalize:
      parts_.aggregations.normalize(aggregations.front(), 1);
      return {};
    case ActionKind::System:
      return run_command(action);
    case ActionKind::Freopen:
      reopen(action);
      return {};
    case ActionKind::Ftruncate:
      parts_.output.truncate();
      return {};
    case ActionKind::Setopt:
      set_option(action);
      return {};
    case ActionKind::Exit:
      // The last one counts: END may have another opinion.
      exit_status_ = static_cast<std::int32_t>(integer_of(action));
      presentation.exit(out, *exit_status_);
      return {};
    case ActionKind::Commit:
    case ActionKind::Discard:
      return {};  // once the record is done
  }
  return {};
}

Result<void> Consumer::run_command(const DecodedAction& action) {
  KINST_CHECK(parts_.output.flush());
  return parts_.host.run(formatted(action));
}

void Consumer::reopen(const DecodedAction& action) {
  if (auto result = parts_.output.reopen(formatted(action)); !result) {
    tell(parts_.presentation.fault(parts_.output.text(),
                                   "freopen(): " + result.error().message));
  }
}

void Consumer::set_option(const DecodedAction& action) {
  const std::string formatted_text = formatted(action);
  const std::string_view text = formatted_text;
  const std::size_t equals = text.find('=');
  const std::string_view value =
      equals == std::string_view::npos ? "1" : text.substr(equals + 1);
  if (auto result = parts_.host.set_option(text.substr(0, equals), value); !result) {
    tell(parts_.presentation.fault(
        parts_.output.text(),
        fmt::format(R"(setopt(): cannot set "{}" to "{}": {})", text.substr(0, equals),
                    value, result.error().message)));
  }
}

const record::Format* Consumer::format_of(const record::Action& action) const {
  const auto found = formats_.find(&action);
  return found == formats_.end() ? nullptr : &found->second;
}

std::string Consumer::formatted(const DecodedAction& action) {
  std::string text;
  if (const record::Format* format = format_of(*action.action)) {
    append_format(text, {parts_.names}, *format, action.values);
  }
  return text;
}

void Consumer::tell(std::string_view message) const {
  if (!message.empty()) {
    parts_.host.report(message);
  }
}

void Consumer::report(const Drop& drop) {
  tell(parts_.presentation.drop(parts_.output.text(), drop));
}

Result<void> Consumer::finish() {
  KINST_CHECK(parts_.aggregations.refresh());
  parts_.presentation.finish(parts_.output.text(), parts_.aggregations);
  return parts_.output.flush();
}

}  // namespace kinst::consumer
