// Does what records say: shows them, keeps speculations until they are committed, works
// on aggregations, runs commands, redirects the output.
#pragma once

#include <chrono>
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
  /// system(): runs a shell's command line and waits for its end. Errors: it cannot be
  /// run.
  std::function<Result<void>(const std::string& command)> run;
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
  /// parts: all must outlive it. aggregation_interval: the option aggrate, for how long
  /// a snapshot of the aggregations serves; 0 takes a new one for each record that
  /// needs one.
  /// Errors: a format of a layout is none, which the checker would have found.
  static Result<Consumer> make(Parts parts,
                               std::chrono::nanoseconds aggregation_interval = {});

  /// Consumes one record as it lies in the ring buffer. Output is collected; whoever
  /// reads the buffer flushes it.
  /// Errors: the output cannot be written; a command cannot be run; bytes that are no
  /// record.
  Result<void> consume(std::span<const std::byte> bytes);

  /// The status of the first exit() that was consumed.
  [[nodiscard]] std::optional<std::int32_t> exit_status() const { return exit_status_; }

  /// Tells what was lost.
  void report(const Drop& drop);

  /// Shows what is shown when a run is over.
  Result<void> finish();

 private:
  Consumer(Parts parts, std::chrono::nanoseconds aggregation_interval)
      : parts_(std::move(parts)), aggregation_interval_(aggregation_interval) {}

  Result<void> consume_record(const record::DecodedRecord& record);
  void speculate(std::uint32_t speculation, std::span<const std::byte> bytes);
  Result<void> refresh_aggregations(const record::DecodedRecord& record);
  Result<void> settle_speculations(const record::DecodedRecord& record);
  Result<void> perform(const record::DecodedAction& action);
  void show(const record::DecodedAction& action);
  Result<void> change_aggregation(record::ActionKind kind, std::uint32_t aggregation,
                                  std::int64_t number);
  Result<void> run_command(const record::DecodedAction& action);
  void reopen(const record::DecodedAction& action);
  void set_option(const record::DecodedAction& action);
  Result<void> commit(std::uint32_t speculation);
  void tell(std::string_view message) const;
  [[nodiscard]] const record::Format* format_of(const record::Action& action) const;
  std::string formatted(const record::DecodedAction& action);

  Parts parts_;
  std::chrono::nanoseconds aggregation_interval_;
  std::optional<std::chrono::steady_clock::time_point> refreshed_;
  std::map<const record::Action*, record::Format> formats_;
  /// Records by the number of their speculation. How many there may be of each, the
  /// program decides, which counts those that it drops.
  std::map<std::uint32_t, std::vector<std::vector<std::byte>>> speculations_;
  std::optional<std::int32_t> exit_status_;
};

}  // namespace kinst::consumer
