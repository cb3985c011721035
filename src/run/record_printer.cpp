// The consumer with its parts, and what a run tells beside its output.
#include "run/record_printer.h"

#include <fmt/format.h>
#include <poll.h>

#include <utility>

#include "base/system/child.h"
#include "base/system/standard_streams.h"
#include "base/system/stop_signals.h"
#include "consumer/messages.h"
#include "consumer/output_format.h"

namespace kinst::run {
namespace {

// Whether what is written there can reach nobody: the other end of the pipe is closed.
bool is_reader_gone(int descriptor) {
  pollfd end{.fd = descriptor, .events = 0, .revents = 0};
  return poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
}

}  // namespace

RecordPrinter::RecordPrinter(const compile::Compilation& compilation,
                             compile::System& system, Enabling& enabling,
                             Options options, Destination destination)
    : enabling_(&enabling),
      options_(std::move(options)),
      command_(std::move(destination.command)),
      names_(compilation.matches.probes.all(), system.code.symbols, system.debug,
             system.processes, system.code.isa),
      maps_(enabling.object(), compilation.generated.storage),
      aggregations_(system.types, compilation.generated.layouts, maps_, names_),
      presentation_(consumer::output_format_info(options_.output.format)
                        .make_presentation(names_, system.types, options_.output)),
      descriptor_(destination.descriptor),
      output_(destination.descriptor),
      at_start_(enabling.counters()),
      before_(at_start_),
      told_(std::chrono::steady_clock::now()) {}

Result<std::unique_ptr<RecordPrinter>> RecordPrinter::make(
    const compile::Compilation& compilation, compile::System& system,
    Enabling& enabling, Options options, Destination destination) {
  const pid_t target = destination.target;
  std::unique_ptr<RecordPrinter> printing(new RecordPrinter(
      compilation, system, enabling, std::move(options), std::move(destination)));
  RecordPrinter& self = *printing;
  self.names_.set_target(target);
  if (self.options_.run.leaves_user_addresses) {
    self.names_.leave_user_addresses();
  }
  self.consumer_.emplace(KINST_TRY(consumer::Consumer::make(
      {.table = system.types,
       .layouts = compilation.generated.layouts,
       .names = self.names_,
       .aggregations = self.aggregations_,
       .presentation = *self.presentation_,
       .options = self.options_.output,
       .output = self.output_,
       .host = {
           .set_option = self.options_.set,
           .run = [&self](const std::string& command) { return self.run(command); },
           .report = [&self](std::string_view message) { self.say(message); }}})));
  return printing;
}

void RecordPrinter::say(std::string_view message) const {
  write_error(fmt::format("{}: {}\n", command_, message));
}

// A signal is for kinst; what a terminal sends, the command has got as well.
Result<void> RecordPrinter::run(const std::string& command) const {
  Child child =
      KINST_TRY(Child::start("/bin/sh", {"sh", "-c", command}, {}, Orphan::LivesOn));
  const std::chrono::milliseconds patience =
      is_ending() ? std::chrono::milliseconds(0) : patience_after_signal;
  const bool is_late = is_ending() && !is_at_end_;
  if (!KINST_TRY(is_late ? child.wait_for(patience)
                         : child.wait_until_stop(patience))) {
    say(fmt::format("system(\"{}\") goes on: it is not waited for after a signal",
                    command));
  }
  return {};
}

void RecordPrinter::tell_given_up(std::uint64_t records) const {
  if (records != 0 && !is_reader_gone(descriptor_)) {
    say(fmt::format(
        "{} records are given up: a signal came, and printing them takes too "
        "long",
        records));
  }
}

void RecordPrinter::note(const Result<void>& outcome) {
  if (!outcome && !failure_) {
    failure_ = outcome.error();
  }
}

void RecordPrinter::take(std::span<const std::byte> record) {
  note(consumer_->consume(record));
}

void RecordPrinter::tell_drops() {
  auto now = enabling_->counters();
  for (const consumer::Drop& drop : consumer::drops_between(before_, now)) {
    consumer_->report(drop);
    record_drops_told_ += drop.kind == consumer::DropKind::Record ? 1 : 0;
  }
  before_ = std::move(now);
  told_ = std::chrono::steady_clock::now();
}

// What the messages before add up to.
void RecordPrinter::tell_all_drops() const {
  if (record_drops_told_ > 1) {
    std::uint64_t all = 0;
    for (std::size_t cpu = 0; cpu < before_.size(); ++cpu) {
      all += before_[cpu].record_drops - at_start_[cpu].record_drops;
    }
    say(fmt::format("{} drops in all", all));
  }
}

bool RecordPrinter::flush() {
  if (std::chrono::steady_clock::now() - told_ >= options_.run.status_interval) {
    tell_drops();
  }
  if (is_reader_gone(descriptor_)) {
    output_.text().clear();
    return false;
  }
  note(output_.flush());
  return !failure_.has_value();
}

void RecordPrinter::finish() {
  note(consumer_->finish());
  tell_drops();
  flush();
  tell_all_drops();
  const std::uint64_t missed = enabling_->missed();
  if (missed != 0) {
    say(fmt::format(
        "{} hits of probes were missed: the kernel runs none within another", missed));
  }
}

}  // namespace kinst::run
