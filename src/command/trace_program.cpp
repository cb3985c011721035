// Load, attach, trace, print.
#include "command/trace_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "base/system/open_output.h"
#include "base/system/standard_streams.h"
#include "base/system/stop_signals.h"
#include "command/options/set_option.h"
#include "command/report.h"
#include "compile/progress_line.h"
#include "compile/unwinding.h"
#include "run/held_records.h"
#include "run/module_follower.h"
#include "run/process_follower.h"
#include "run/run_options.h"
#include "run/trace.h"

namespace kinst::command {
namespace {

std::chrono::milliseconds milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

Result<FileDescriptor> open_output(const CommandLine& line) {
  if (!line.output_path) {
    const int open_already = line.output_descriptor.value_or(STDOUT_FILENO);
    FileDescriptor file(fcntl(open_already, F_DUPFD_CLOEXEC, 0));
    if (!file) {
      return system_error("write the output", errno);
    }
    return file;
  }
  return open_to_append(*line.output_path);
}

// A reader that goes away and a file that may not grow are noticed where output is
// written, so that the run ends in order.
void ignore_signals_of_writing() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Result<run::Enabling> load(const compile::Compilation& compilation,
                           const CommandLine& line) {
  const run::RunOptions& options = line.settings.tracing;
  KINST_CHECK(run::check_buffer(compilation, options));
  KINST_CHECK(run::stay_on_cpu(options));
  auto loaded = run::Enabling::load(compilation, options);
  if (!loaded) {
    if (line.is_verbose || options.shows_verifier_log) {
      write_error(loaded.error().verifier_log);
    }
    return tl::unexpected(Error{loaded.error().message});
  }
  tell_verifier_log(loaded->object().verifier_log);
  return std::move(*loaded);
}

// As DTrace tells it, but a signal even to who wants it quiet: it may be the tracing
// that broke the program.
void tell_failure(run::Target& target, const CommandLine& line) {
  const auto failure = target.failure();
  if (failure && (failure->is_by_signal || !line.settings.output.quiet)) {
    say(line, failure->sentence);
  }
}

std::uint64_t hits_of(const run::Enabling& enabling) {
  std::uint64_t hits = 0;
  for (const kinst_counters& one : enabling.counters()) {
    hits += one.hits;
  }
  return hits;
}

// The processes in whose code probes are or may come, followed while they execute
// programs and load libraries. Without that, probes are lost that a thread executes
// which is not the first, and none come.
std::optional<run::ProcessFollower> follow_processes(
    const compile::Compilation& compilation, run::Enabling& enabling,
    run::RecordPrinter& printer, compile::System& system, const CommandLine& line) {
  std::set<pid_t> processes;
  for (const provider::Probe& probe : compilation.matches.probes.all()) {
    if (const auto* place = std::get_if<provider::UserInstruction>(&probe.site)) {
      processes.insert(place->process);
    }
  }
  if (processes.empty()) {
    return std::nullopt;
  }
  const auto tell = [&line](const std::string& sentence) { say(line, sentence); };
  const auto tell_details = [&line](const std::string& sentence) {
    if (line.is_verbose) {
      say(line, sentence);
    }
  };
  auto follower = run::ProcessFollower::make(
      enabling, std::move(processes),
      run::AwaitedProbes(compilation.matches, system.processes, system.code.isa,
                         line.settings.compilation.most_probes),
      {.probe = [&printer](const provider::Probe& probe) { printer.add_probe(probe); },
       .change = [&printer](pid_t process) { printer.note_change(process); },
       .gain = tell_details,
       .failure = tell});
  if (!follower) {
    tell_details(fmt::format("processes with probes are not followed: {}",
                             follower.error().message));
    return std::nullopt;
  }
  return std::optional(*std::move(follower));
}

// The modules in which probes may come.
std::optional<run::ModuleFollower> follow_modules(
    const compile::Compilation& compilation, run::Enabling& enabling,
    run::RecordPrinter& printer, const CommandLine& line) {
  if (!provider::waits_for_modules(compilation.matches.probes.all())) {
    return std::nullopt;
  }
  auto follower = run::ModuleFollower::make(
      enabling, compilation.matches, line.settings.compilation.most_probes,
      {.probe = [&printer](const provider::Probe& probe) { printer.add_probe(probe); },
       .symbols =
           [&printer](std::shared_ptr<kernel::LazySymbols> symbols) {
             printer.add_symbols(std::move(symbols));
           },
       .gain =
           [&line](const std::string& sentence) {
             if (line.is_verbose) {
               say(line, sentence);
             }
           },
       .failure = [&line](const std::string& sentence) { say(line, sentence); }});
  if (!follower) {
    say(line, fmt::format("modules are not followed as they come: {}",
                          follower.error().message));
    return std::nullopt;
  }
  return std::optional(*std::move(follower));
}

// What follows the processes and modules while they are traced.
struct Followers {
  compile::UnwindTablesInUse stacks;
  std::optional<run::ProcessFollower> processes;
  std::optional<run::ModuleFollower> modules;

  // To be called when the probes that are there at first are attached.
  void begin() {
    if (processes) {
      processes->begin();
    }
    if (modules) {
      modules->begin();
    }
  }

  void end() {
    processes.reset();
    modules.reset();
  }
};

Result<Followers> follow(const ReadyProgram& program, run::Enabling& enabling,
                         run::RecordPrinter& printer, const CommandLine& line) {
  return Followers{
      .stacks = KINST_TRY(
          compile::UnwindTablesInUse::open(enabling.object(), program.system)),
      .processes = follow_processes(program.compilation, enabling, printer,
                                    program.system, line),
      .modules = follow_modules(program.compilation, enabling, printer, line)};
}

// What is told before the probes are attached.
void tell_beginning(const ReadyProgram& program, const CommandLine& line) {
  if (program.compilation.matched == compile::Matched::AllProbes) {
    tell_matches(program.compilation, program.texts, line);
    tell_waiting(program.compilation.matches, line);
  }
  if (line.settings.compilation.check.destructive && !line.settings.output.quiet) {
    say(line, "allowing destructive actions");
  }
}

// Where records go, and what is done beside them.
// attached: called with the probes that the kernel refused.
run::RecordSink sink_into(
    run::HeldRecords& held, run::RecordPrinter& printer, Followers& followers,
    std::function<void(const std::vector<provider::RefusedProbe>&)> attached,
    const run::RunOptions& options) {
  // Under a millisecond it cannot be told from taking records as they come.
  const auto rate = milliseconds(options.switch_interval);
  return {
      .record = [&](std::span<const std::byte> record) { held.add(record); },
      .refused = std::move(attached),
      .pause = [&]() -> std::optional<run::Ended> {
        if (!is_ending()) {
          followers.stacks.follow();
        }
        if (!printer.flush()) {
          return run::Ended::ByReader;
        }
        return held.is_full() ? std::optional(run::Ended::ByFullBuffer) : std::nullopt;
      },
      .given_up = [&](std::uint64_t records) { printer.tell_given_up(records); },
      .over =
          [&] {
            followers.end();
            held.end_of_run();
            printer.end_of_run();
          },
      .interval = rate.count() == 0 ? std::chrono::milliseconds(1000) : rate,
      .status_interval =
          std::max(milliseconds(options.status_interval), std::chrono::milliseconds(1)),
      .gathers = rate.count() != 0};
}

Result<run::Ended> trace_until_end(run::Enabling& enabling,
                                   const Interruption& interruption,
                                   run::Target* target, const run::RecordSink& sink) {
  interruption.last_resort.set_patience(run::LastResort::while_tracing);
  auto ended = run::trace(enabling, interruption.signals, target, sink);
  interruption.last_resort.set_patience(run::LastResort::while_idle);
  return ended;
}

void detach(run::Enabling& enabling) {
  compile::ProgressLine progress("detaching");
  enabling.detach([&](std::size_t done, std::size_t all) { progress.show(done, all); });
}

}  // namespace

Result<int> trace_program(const ReadyProgram& program, const Interruption& interruption,
                          run::Target* target, CommandLine& line,
                          const ModeHooks& hooks) {
  const compile::Compilation& compilation = program.compilation;
  run::Enabling enabling = KINST_TRY(load(compilation, line));
  ignore_signals_of_writing();
  const FileDescriptor output = KINST_TRY(open_output(line));
  const auto process = target == nullptr ? std::nullopt : std::optional(target->pid());
  line.settings.output.escapes_controls = isatty(output.get()) != 0;
  const auto set = [&line](std::string_view name, std::string_view value) {
    return set_option(line.settings, name, value, SettingMoment::Running);
  };
  const auto printer = KINST_TRY(run::RecordPrinter::make(
      compilation, program.system, enabling,
      {.output = line.settings.output, .run = line.settings.tracing, .set = set},
      {.command = line.command,
       .descriptor = output.get(),
       .target = process.value_or(0)}));
  tell_beginning(program, line);
  Followers followers = KINST_TRY(follow(program, enabling, *printer, line));
  run::HeldRecords held(
      line.settings.tracing.buffer_policy,
      compilation.generated.storage.options.buffer_size,
      [&](std::span<const std::byte> record) { printer->take(record); });
  std::vector<provider::RefusedProbe> refused;
  const auto attached = [&](const std::vector<provider::RefusedProbe>& probes) {
    refused = probes;
    tell_refused(probes, compilation, line);
    followers.begin();
  };
  const run::Ended ended = KINST_TRY(trace_until_end(
      enabling, interruption, target,
      sink_into(held, *printer, followers, attached, line.settings.tracing)));
  held.release();
  if (ended == run::Ended::ByTarget) {
    tell_failure(*target, line);
  }
  tell_silence(compilation, hits_of(enabling), line);
  if (ended != run::Ended::ByReader) {
    KINST_CHECK(hooks.conclude({.compilation = compilation,
                                .enabling = enabling,
                                .printer = *printer,
                                .refused = refused,
                                .debug = program.system.debug,
                                .process = process}));
  }
  detach(enabling);
  if (printer->failure()) {
    return tl::unexpected(*printer->failure());
  }
  return printer->exit_status().value_or(0);
}

}  // namespace kinst::command
