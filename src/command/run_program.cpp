// The table of contents: parse, match, check, generate, load, attach, trace, print.
#include "command/run_program.h"

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
#include <string_view>
#include <utility>
#include <variant>

#include "base/system/open_output.h"
#include "base/system/standard_streams.h"
#include "base/system/stop_signals.h"
#include "command/list_probes.h"
#include "command/macro_values.h"
#include "command/preprocess.h"
#include "command/program_texts.h"
#include "command/report.h"
#include "command/report_inlined.h"
#include "compile/compile.h"
#include "compile/interruptible_compile.h"
#include "compile/match/providers.h"
#include "compile/progress_line.h"
#include "compile/unwinding.h"
#include "run/enabling.h"
#include "run/held_records.h"
#include "run/last_resort.h"
#include "run/module_follower.h"
#include "run/process_follower.h"
#include "run/record_printer.h"
#include "run/run_settings.h"
#include "run/signals.h"
#include "run/target.h"
#include "run/trace.h"

namespace kinst::command {
namespace {

// In the order in which spans count them.
std::vector<Source> sources_of(const std::vector<compile::ProgramText>& texts,
                               const compile::Libraries& libraries) {
  std::vector<Source> sources;
  sources.reserve(texts.size() + libraries.sources().size());
  for (const compile::ProgramText& text : texts) {
    sources.push_back(text.source);
  }
  sources.insert(sources.end(), libraries.sources().begin(), libraries.sources().end());
  return sources;
}

// Prints what is wrong with the program, once. True if it cannot be run.
bool tell(Diagnostics& diagnostics, const std::vector<compile::ProgramText>& texts,
          const compile::Libraries& libraries, const CommandLine& line) {
  const std::vector<Source> sources = sources_of(texts, libraries);
  const ShowTags tags = line.settings.shows_error_tags ? ShowTags::Yes : ShowTags::No;
  for (const Diagnostic& one : diagnostics.all()) {
    write_error(fmt::format("{}: {}", line.command, render(one, sources, tags)));
  }
  return std::exchange(diagnostics, {}).has_errors();
}

// `#pragma D option`: those of the programs, which the command line's come before.
void apply_pragmas(const std::vector<d::Program>& programs, compile::Settings& settings,
                   Diagnostics& diagnostics) {
  for (const d::Program& program : programs) {
    for (const d::Pragma& pragma : program.pragmas) {
      const auto* option = std::get_if<d::OptionPragma>(&pragma.node);
      if (option == nullptr) {
        continue;
      }
      const auto set = compile::set_option(settings, option->name, option->value,
                                           compile::SettingMoment::Pragma);
      if (!set) {
        diagnostics.error("D_PRAGMA_OPTSET", pragma.span, set.error().message);
      }
    }
  }
}

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
  const compile::Settings& settings = line.settings;
  KINST_CHECK(run::check_buffer(compilation, settings));
  KINST_CHECK(run::stay_on_cpu(settings));
  auto loaded = run::Enabling::load(compilation, run::run_options(settings));
  if (!loaded) {
    if (line.is_verbose || settings.shows_verifier_log) {
      write_error(loaded.error().verifier_log);
    }
    return tl::unexpected(Error{loaded.error().message});
  }
  tell_verifier_log(loaded->object().verifier_log);
  return std::move(*loaded);
}

// A program that is ready to run.
struct Prepared {
  const compile::Compilation& compilation;
  const std::vector<d::Program>& programs;
  compile::System& system;
};

// As DTrace tells it, but a signal even to who wants it quiet: it may be the tracing
// that broke the program.
void tell_failure(run::Target& target, const CommandLine& line) {
  const auto failure = target.failure();
  if (failure && (failure->is_by_signal || !line.settings.quiet)) {
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

// How signals come in.
struct Interruption {
  run::StopSignals& signals;
  run::LastResort& last_resort;
};

// The processes in whose code probes are or may come, followed while they execute
// programs and load libraries. Without that, probes are lost that a thread executes
// which is not the first, and none come.
std::optional<run::ProcessFollower> follow_processes(
    const compile::Compilation& compilation, run::Enabling& enabling,
    run::RecordPrinter& printing, compile::System& system, const CommandLine& line) {
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
                         line.settings.most_probes),
      {.probe =
           [&printing](const provider::Probe& probe) { printing.add_probe(probe); },
       .change = [&printing](pid_t process) { printing.note_change(process); },
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
    run::RecordPrinter& printing, const CommandLine& line) {
  if (!provider::waits_for_modules(compilation.matches.probes.all())) {
    return std::nullopt;
  }
  auto follower = run::ModuleFollower::make(
      enabling, compilation.matches, line.settings.most_probes,
      {.probe =
           [&printing](const provider::Probe& probe) { printing.add_probe(probe); },
       .symbols =
           [&printing](std::shared_ptr<kernel::LazySymbols> symbols) {
             printing.add_symbols(std::move(symbols));
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

Result<int> load_and_trace(const Prepared& prepared, const Interruption& interruption,
                           run::Target* target, CommandLine& line,
                           const ModeHooks& hooks) {
  run::StopSignals& signals = interruption.signals;
  const compile::Compilation& compilation = prepared.compilation;
  run::Enabling enabling = KINST_TRY(load(compilation, line));
  ignore_signals_of_writing();
  const FileDescriptor output = KINST_TRY(open_output(line));
  const auto printing = KINST_TRY(
      run::RecordPrinter::make(compilation, prepared.system, enabling, line.settings,
                               {.command = line.command,
                                .descriptor = output.get(),
                                .target = target == nullptr ? 0 : target->pid()}));
  if (compilation.matched == compile::Matched::AllProbes) {
    tell_matches(compilation, prepared.programs, line);
    tell_waiting(compilation.matches, line);
  }
  if (line.settings.destructive && !line.settings.quiet) {
    say(line, "allowing destructive actions");
  }
  compile::UnwindTablesInUse unwinding =
      KINST_TRY(compile::UnwindTablesInUse::open(enabling.object(), prepared.system));
  run::HeldRecords held(
      line.settings.buffer_policy, line.settings.buffer_bytes,
      [&](std::span<const std::byte> record) { printing->take(record); });
  // Under a millisecond it cannot be told from taking records as they come.
  const auto rate = milliseconds(line.settings.switch_interval);
  std::vector<provider::RefusedProbe> refused_probes;
  std::optional<run::ProcessFollower> follower =
      follow_processes(compilation, enabling, *printing, prepared.system, line);
  std::optional<run::ModuleFollower> module_follower =
      follow_modules(compilation, enabling, *printing, line);
  const run::RecordSink sink{
      .record = [&](std::span<const std::byte> record) { held.add(record); },
      .refused =
          [&](const std::vector<provider::RefusedProbe>& probes) {
            refused_probes = probes;
            tell_refused(probes, compilation, line);
            if (follower) {
              follower->begin();
            }
            if (module_follower) {
              module_follower->begin();
            }
          },
      .pause = [&]() -> std::optional<run::Ended> {
        if (!is_ending()) {
          unwinding.follow();
        }
        if (!printing->flush()) {
          return run::Ended::ByReader;
        }
        return held.is_full() ? std::optional(run::Ended::ByFullBuffer) : std::nullopt;
      },
      .given_up = [&](std::uint64_t records) { printing->tell_given_up(records); },
      .over =
          [&] {
            follower.reset();
            module_follower.reset();
            held.end_of_run();
            printing->end_of_run();
          },
      .interval = rate.count() == 0 ? std::chrono::milliseconds(1000) : rate,
      .status_interval = std::max(milliseconds(line.settings.status_interval),
                                  std::chrono::milliseconds(1)),
      .gathers = rate.count() != 0};
  interruption.last_resort.set_patience(run::LastResort::while_tracing);
  const auto traced = run::trace(enabling, signals, target, sink);
  interruption.last_resort.set_patience(run::LastResort::while_idle);
  const run::Ended ended = KINST_TRY(traced);
  held.release();
  if (ended == run::Ended::ByTarget) {
    tell_failure(*target, line);
  }
  tell_silence(compilation, hits_of(enabling), line);
  if (ended != run::Ended::ByReader) {
    KINST_CHECK(hooks.conclude(
        {.compilation = compilation,
         .enabling = enabling,
         .printing = *printing,
         .refused = refused_probes,
         .debug = prepared.system.debug,
         .process = target == nullptr ? std::nullopt : std::optional(target->pid())}));
  }
  compile::ProgressLine line_of_detaching("detaching");
  enabling.detach(
      [&](std::size_t done, std::size_t all) { line_of_detaching.show(done, all); });
  line_of_detaching.clear();
  if (printing->failure()) {
    return tl::unexpected(*printing->failure());
  }
  return printing->exit_status().value_or(0);
}

// The process that the run is about: a command's, or one that runs.
Result<std::optional<run::Target>> find_target(const CommandLine& line,
                                               d::MacroValues& macros) {
  std::optional<run::Target> target;
  if (!line.target_commands.empty()) {
    target.emplace(KINST_TRY(run::Target::start(line.target_commands.front(),
                                                line.settings.target_environment)));
  } else if (!line.processes.empty()) {
    target.emplace(KINST_TRY(run::Target::watch(line.processes.front())));
  }
  if (target) {
    macros.variables["target"] = target->pid();
  }
  return target;
}

// Whether the programs want probes in the code of processes, which must be loaded then.
bool names_processes(const std::vector<d::Program>& programs) {
  for (const d::Program& program : programs) {
    for (const d::Item& item : program.items) {
      const auto* clause = std::get_if<d::Clause>(&item);
      if (clause == nullptr) {
        continue;
      }
      for (const d::ProbeSpecifier& specifier : clause->probes) {
        const auto* description = std::get_if<d::Description>(&specifier);
        if (description != nullptr && description->provider.starts_with("pid")) {
          return true;
        }
      }
    }
  }
  return false;
}

// Probes in a command can only be found once it has begun. An interrupt before that is
// heard afterwards, unless the command takes too long.
Result<run::Reached> run_to_evaluation(run::Target& target, user::EvaluationTime when) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience(1);
  std::optional<Clock::time_point> interrupted;
  return target.run_to(when, [&] {
    if (!interrupted && is_stop_pending()) {
      interrupted = Clock::now();
    }
    return interrupted && Clock::now() - *interrupted > patience;
  });
}

// The probes of the programs' descriptions; unmatched ones are told.
Result<int> list_matched(const std::vector<d::Program>& programs,
                         const std::vector<compile::ProgramText>& texts,
                         const compile::Libraries& libraries, compile::System& system,
                         const CommandLine& line) {
  std::vector<const d::Program*> pointers;
  pointers.reserve(programs.size());
  for (const d::Program& program : programs) {
    pointers.push_back(&program);
  }
  Diagnostics diagnostics;
  compile::ProgressLine reading("reading functions");
  const compile::Providers providers = compile::make_providers(
      system, provider::Purpose::Listing, line.settings.most_probes,
      [&](std::size_t done, std::size_t all) {
        reading.show(done, all);
        return Progress::Continue;
      });
  const compile::Matches matches =
      compile::match(pointers, providers, compile::Unmatched::IsError, diagnostics);
  reading.clear();
  tell_notes(matches, line);
  if (line.is_verbose) {
    tell_skipped(matches, line);
  }
  std::vector<bool> is_meant(matches.probes.all().size());
  for (const auto& indexes : matches.of_description) {
    for (const std::size_t index : indexes) {
      is_meant[index] = true;
    }
  }
  std::vector<const provider::Probe*> probes;
  for (std::size_t index = 0; index < is_meant.size(); ++index) {
    if (is_meant[index]) {
      probes.push_back(&matches.probes.all()[index]);
    }
  }
  const auto list = line.settings.is_json ? probe_lines : probe_table;
  KINST_CHECK(write_output(list(probes, providers, system.types, line.is_verbose)));
  return tell(diagnostics, texts, libraries, line) ? status_given_up : 0;
}

}  // namespace

Result<int> run_program(CommandLine& line, compile::KernelCode& code,
                        const ModeHooks& hooks) {
  run::StopSignals signals = KINST_TRY(run::StopSignals::block());
  run::LastResort last_resort = KINST_TRY(run::LastResort::start());
  d::MacroValues macros = macro_values(line);
  std::optional<run::Target> target = KINST_TRY(find_target(line, macros));
  std::vector<compile::ProgramText> texts =
      KINST_TRY(prepared_texts(line, running_release()));
  texts.insert(texts.end(), hooks.texts.begin(), hooks.texts.end());
  compile::LibraryFiles library_files = compile::find_libraries(line.settings);
  for (const std::string& reason : library_files.unreadable) {
    say(line, "warning: " + reason);
  }
  compile::Libraries libraries(std::move(library_files.files),
                               static_cast<std::uint32_t>(texts.size()));
  Diagnostics diagnostics;
  compile::System system(code);
  const std::vector<d::Program> programs =
      compile::parse(texts, libraries, macros, system, diagnostics);
  apply_pragmas(programs, line.settings, diagnostics);
  system.types.set_string_size(run::string_size(line.settings));
  compile::refuse_unused(programs, macros, line.settings, diagnostics);
  if (tell(diagnostics, texts, libraries, line)) {
    return status_given_up;
  }
  const bool traces = line.mode != Mode::List && !line.only_compiles;
  if (target && !line.target_commands.empty() &&
      (traces || names_processes(programs))) {
    const run::Reached reached =
        KINST_TRY(run_to_evaluation(*target, line.settings.evaluation_time));
    if (reached == run::Reached::Exit) {
      say(line,
          "the command of -c ends before its main(), so that nothing of it is traced; "
          "-x evaltime=preinit begins before its constructors");
    }
  }
  if (target) {
    // What it has loaded, while it can be asked: its stacks may be named when it has
    // ended.
    static_cast<void>(system.processes.find(target->pid()));
  }
  if (!traces) {
    // Nothing has begun that would have to be ended.
    last_resort.set_patience(std::chrono::milliseconds(0));
  }
  if (line.mode == Mode::List) {
    return list_matched(programs, texts, libraries, system, line);
  }
  compile::CompileOptions options = run::compile_options(line.settings);
  options.target = target ? std::optional(target->pid()) : std::nullopt;
  const auto compilation = KINST_TRY(compile::compile_until(
      diagnostics, [&](compile::Matched matched, const ProgressReport& reading) {
        options.matched = matched;
        return compile::compile({.programs = programs, .libraries = libraries}, options,
                                system, reading, diagnostics);
      }));
  if (tell(diagnostics, texts, libraries, line)) {
    return status_given_up;
  }
  if (!compilation) {
    return 0;  // interrupted before anything had begun
  }
  if (hooks.texts.empty()) {
    tell_notes(compilation->matches, line);
    tell_inlined(compilation->matches, system.debug, line);
  }
  if (line.is_verbose) {
    tell_plan(*compilation, line);
  }
  if (line.settings.shows_code) {
    tell_code(*compilation, sources_of(texts, libraries), system.types);
  }
  if (line.only_compiles) {
    tell_matches(*compilation, programs, line);
    return 0;
  }
  return load_and_trace(
      {.compilation = *compilation, .programs = programs, .system = system},
      {.signals = signals, .last_resort = last_resort}, target ? &*target : nullptr,
      line, hooks);
}

}  // namespace kinst::command
