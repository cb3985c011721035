// Performs the actions of records: shows values, keeps speculations until they are
// committed, changes aggregations, runs commands, redirects the output.
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
#include "consumer/output.h"
#include "consumer/output_options.h"
#include "consumer/presentation.h"
#include "consumer/values/aggregations.h"
#include "consumer/values/symbolizer.h"
#include "record/decode.h"
#include "record/format.h"

namespace kinst::consumer {

/// Services that the consumer needs from the program around it.
struct ConsumerHost {
  /// For setopt(). Errors: what is wrong with the option or its value.
  std::function<Result<void>(std::string_view name, std::string_view value)> set_option;
  /// For system(): runs a shell command line and waits for its end. Errors: the command
  /// cannot be run.
  std::function<Result<void>(const std::string& command)> run;
  /// Prints a line on standard error. The message has neither the command's name nor a
  /// newline.
  std::function<void(std::string_view message)> report;
};

class Consumer {
 public:
  struct Parts {
    const types::TypeTable& table;
    const record::Layouts& layouts;
    Symbolizer& names;
    Aggregations& aggregations;
    Presentation& presentation;
    const OutputOptions& options;  ///< read anew for each record
    Output& output;
    ConsumerHost host;
  };
  /// parts: must outlive the consumer.
  /// Errors: an action's format string does not parse. The checker refuses such a
  /// program, so this is a fault of kinst.
  static Result<Consumer> make(Parts parts);

  /// Consumes one record, as it lies in the ring buffer. Output is only collected; the
  /// caller flushes it.
  /// Errors: the output cannot be written; a command cannot be run; the bytes are not a
  /// valid record.
  Result<void> consume(std::span<const std::byte> bytes);

  /// The status of the last exit() that was consumed: END may call exit() again.
  /// Nothing if no exit() was consumed.
  [[nodiscard]] std::optional<std::int32_t> exit_status() const { return exit_status_; }

  /// Reports a drop.
  void report(const Drop& drop);

  /// Prints the aggregations that no printa() has printed, and flushes the output.
  Result<void> finish();

 private:
  explicit Consumer(Parts parts) : parts_(std::move(parts)) {}

  Result<void> consume_record(const record::DecodedRecord& record);
  void speculate(std::uint32_t speculation, std::span<const std::byte> bytes);
  Result<void> refresh_aggregations(const record::DecodedRecord& record);
  Result<void> settle_speculations(const record::DecodedRecord& record);
  Result<void> perform_all(const record::DecodedRecord& record);
  Result<void> perform(const record::DecodedAction& action);
  Result<void> run_command(const record::DecodedAction& action);
  void reopen(const record::DecodedAction& action);
  void set_option(const record::DecodedAction& action);
  Result<void> commit(std::uint32_t speculation);
  void tell(std::string_view message) const;
  [[nodiscard]] const record::Format* format_of(const record::Action& action) const;
  std::string formatted(const record::DecodedAction& action);

  Parts parts_;
  std::optional<std::chrono::steady_clock::time_point> refreshed_;
  std::map<const record::Action*, record::Format> formats_;
  /// The records of each speculation, by its number. Their number is not limited here:
  /// the program in the kernel limits it, and counts the records that it drops.
  std::map<std::uint32_t, std::vector<std::vector<std::byte>>> speculations_;
  std::optional<std::int32_t> exit_status_;
};

}  // namespace kinst::consumer
