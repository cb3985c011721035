// Connects all parts that turn the records of a run into output.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "consumer/consumer.h"
#include "consumer/output.h"
#include "consumer/output_options.h"
#include "consumer/presentation.h"
#include "consumer/values/aggregations.h"
#include "run/enabling.h"
#include "run/kernel_aggregations.h"
#include "run/run_options.h"
#include "run/run_symbolizer.h"

namespace kinst::run {

class RecordPrinter {
 public:
  struct Destination {
    std::string command;  ///< what messages on standard error begin with
    int descriptor = -1;  ///< written to, not owned
    pid_t target = 0;     ///< the target process; 0: none
  };
  struct Options {
    /// How the output looks now: setopt() may change it.
    const consumer::OutputOptions& output;
    const RunOptions& run;
    /// For setopt(). Errors: what is wrong with the option or its value.
    std::function<Result<void>(std::string_view name, std::string_view value)> set;
  };
  /// All arguments must outlive it. Errors: a format string does not parse.
  static Result<std::unique_ptr<RecordPrinter>> make(
      const compile::Compilation& compilation, compile::System& system,
      Enabling& enabling, Options options, Destination destination);

  /// Consumes a record. The first error is kept in failure().
  void take(std::span<const std::byte> record);
  /// Writes the output so far. Reports drops, as often as the option statusrate says.
  /// Returns false if nobody reads the output any more, or after a failure.
  bool flush();
  /// The program's aggregations, for uses other than printing.
  [[nodiscard]] consumer::Aggregations& aggregations() { return aggregations_; }
  /// Adds a probe that records may come from. The probe must outlive this. May be
  /// called from any thread.
  void add_probe(const provider::Probe& probe) { names_.add(probe); }
  /// See RunSymbolizer.
  void note_change(pid_t process) { names_.note_change(process); }
  /// See RunSymbolizer.
  void add_symbols(std::shared_ptr<kernel::LazySymbols> symbols) {
    names_.add_symbols(std::move(symbols));
  }
  /// Adds text to the output.
  void print(std::string_view text) { output_.text() += text; }
  /// Marks the beginning of END. Commands that system() runs in END are waited for.
  void end_of_run() { is_at_end_ = true; }
  /// Reports that `records` records were not consumed.
  void tell_given_up(std::uint64_t records) const;
  /// Prints the aggregations that are still to be printed, and reports the last drops
  /// and the hits that were missed.
  void finish();

  /// The first error of take() or flush(). It is no error if the reader has gone away.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  [[nodiscard]] std::optional<std::int32_t> exit_status() const {
    return consumer_->exit_status();
  }

 private:
  RecordPrinter(const compile::Compilation& compilation, compile::System& system,
                Enabling& enabling, Options options, Destination destination);

  void say(std::string_view message) const;
  [[nodiscard]] Result<void> run(const std::string& command) const;
  void tell_drops();
  void tell_all_drops() const;
  void note(const Result<void>& outcome);

  Enabling* enabling_;
  Options options_;
  std::string command_;
  RunSymbolizer names_;
  KernelAggregations maps_;
  consumer::Aggregations aggregations_;
  std::unique_ptr<consumer::Presentation> presentation_;
  int descriptor_;
  consumer::Output output_;
  std::vector<kinst_counters> at_start_;
  std::vector<kinst_counters> before_;  ///< when drops were last told
  std::chrono::steady_clock::time_point told_;
  std::size_t record_drops_told_ = 0;  ///< how many drops of records were reported
  std::optional<consumer::Consumer> consumer_;
  std::optional<Error> failure_;
  bool is_at_end_ = false;
};

}  // namespace kinst::run
