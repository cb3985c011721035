// Does what records say: shows them, keeps speculations until they are committed, works
// on aggregations, runs commands, redirects the output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "consumer/aggregations.h"
#include "consumer/names.h"
#include "consumer/output.h"
#include "consumer/presentation.h"
#include "record/decode.h"
#include "record/format.h"

namespace kinst::consumer {

/// What the consumer asks of whoever runs it.
struct ConsumerHost {
  /// setopt(). Errors: what is wrong with the option or its value.
  std::function<Result<void>(std::string_view name, std::string_view value)> set_option;
  /// A speculation was committed or discarded: its number is free again.
  std::function<void(std::uint32_t speculation)> free_speculation;
  /// A line for standard error, without its end and without the command's name.
  std::function<void(std::string_view message)> report;
};

class Consumer {
 public:
  struct Parts {
    const types::TypeTable& table;
    const record::Layouts& layouts;
    Names& names;
    Aggregations& aggregations;
    Presentation& presentation;
    Output& output;
    ConsumerHost host;
  };
  /// parts: all must outlive it. speculation_bytes: the option specsize, what one
  /// speculation may hold.
  /// Errors: a format of a layout is none, which the checker would have found.
  static Result<Consumer> make(Parts parts, std::uint64_t speculation_bytes);

  /// Consumes one record as it lies in the ring buffer. Output is collected; whoever
  /// reads the buffer flushes it.
  /// Errors: the output cannot be written; a command cannot be run; bytes that are no
  /// record.
  Result<void> consume(std::span<const std::byte> bytes);

  /// The status of the first exit() that was consumed.
  [[nodiscard]] std::optional<std::int32_t> exit_status() const { return exit_status_; }

  /// Tells what was lost.
  void report(const Drop& drop);
  /// What is kept of speculations and did not fit, since the last call.
  std::uint64_t take_speculation_drops() {
    return std::exchange(speculation_drops_, 0);
  }

  /// Shows what is shown when a run is over.
  Result<void> finish();

 private:
  explicit Consumer(Parts parts, std::uint64_t speculation_bytes)
      : parts_(std::move(parts)), speculation_bytes_(speculation_bytes) {}

  struct Speculation {
    std::vector<std::vector<std::byte>> records;
    std::uint64_t size_bytes = 0;
  };

  Result<void> consume_record(const record::DecodedRecord& record);
  void speculate(std::uint32_t speculation, std::span<const std::byte> bytes);
  Result<void> perform(const record::DecodedAction& action);
  void show(const record::DecodedAction& action);
  Result<void> work_on_aggregations(const record::DecodedAction& action);
  Result<void> act_outside(const record::DecodedAction& action);
  Result<void> commit(std::uint32_t speculation);
  void discard(std::uint32_t speculation);
  void tell(std::string_view message);
  [[nodiscard]] const record::Format* format_of(const record::Action& action) const;
  std::string formatted(const record::DecodedAction& action);

  Parts parts_;
  std::uint64_t speculation_bytes_;
  std::map<const record::Action*, record::Format> formats_;
  std::map<std::uint32_t, Speculation> speculations_;
  std::uint64_t speculation_drops_ = 0;
  std::optional<std::int32_t> exit_status_;
};

}  // namespace kinst::consumer
