// Everything that turns the records of a run into output, tied together.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "consumer/aggregations.h"
#include "consumer/consumer.h"
#include "consumer/output.h"
#include "consumer/presentation.h"
#include "session/compile.h"
#include "session/kernel_aggregations.h"
#include "session/run_names.h"
#include "session/running.h"
#include "session/settings.h"

namespace kinst::session {

class Printing {
 public:
  struct Destination {
    std::string command;  ///< what messages on standard error begin with
    int descriptor = -1;  ///< written to, not owned
    pid_t target = 0;     ///< the process that the run is about; 0: none
  };
  /// All must outlive it. settings: setopt() changes them. Errors: a format that is
  /// none.
  static Result<std::unique_ptr<Printing>> make(const Compilation& made, Ground& ground,
                                                Running& running, Settings& settings,
                                                Destination destination);

  /// Consumes a record. What goes wrong is kept: see failure().
  void take(std::span<const std::byte> record);
  /// Writes what there is and, as often as the option statusrate has it, tells of
  /// drops. False if nobody reads the output any more, or something went wrong.
  bool flush();
  /// The program's aggregations, for whoever wants more of them than printing.
  [[nodiscard]] consumer::Aggregations& aggregations() { return aggregations_; }
  /// One more probe that records may be of; it must outlive this. From any thread.
  void add_probe(const provider::Probe& probe) { names_.add(probe); }
  /// As RunNames has it.
  void note_change(pid_t process) { names_.note_change(process); }
  /// As RunNames has it.
  void add_symbols(std::shared_ptr<kernel::LazySymbols> symbols) {
    names_.add_symbols(std::move(symbols));
  }
  /// Adds text to the output.
  void print(std::string_view text) { output_.text() += text; }
  /// What is printed from now on is END's, whose commands are waited for.
  void end_of_run() { is_at_end_ = true; }
  /// Tells that so many records were not consumed.
  void tell_given_up(std::uint64_t records) const;
  /// Prints what is printed at the end of a run, and what was missed.
  void finish();

  /// The first thing that went wrong; nothing if only the reader went away.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  [[nodiscard]] std::optional<std::int32_t> exit_status() const {
    return consumer_->exit_status();
  }

 private:
  Printing(const Compilation& made, Ground& ground, Running& running,
           Settings& settings, Destination destination);

  void say(std::string_view message) const;
  [[nodiscard]] Result<void> run(const std::string& command) const;
  void tell_drops();
  void tell_all_drops() const;
  void note(const Result<void>& outcome);

  Running* running_;
  Settings* settings_;
  std::string command_;
  consumer::OutputOptions options_;
  RunNames names_;
  KernelAggregations maps_;
  consumer::Aggregations aggregations_;
  std::unique_ptr<consumer::Presentation> presentation_;
  int descriptor_;
  consumer::Output output_;
  std::vector<kinst_counters> at_start_;
  std::vector<kinst_counters> before_;  ///< when drops were last told
  std::chrono::steady_clock::time_point told_;
  std::size_t record_drops_told_ = 0;  ///< how many messages
  std::optional<consumer::Consumer> consumer_;
  std::optional<Error> failure_;
  bool is_at_end_ = false;
};

/// The options of output that the settings hold.
consumer::OutputOptions output_options(const Settings& settings, int descriptor);

}  // namespace kinst::session
