// The table of contents: parse, list or compile, trace.
#include "command/run_program.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/system/standard_streams.h"
#include "base/system/stop_signals.h"
#include "command/in_format.h"
#include "command/macro_values.h"
#include "command/options/set_option.h"
#include "command/preprocess.h"
#include "command/program_texts.h"
#include "command/report.h"
#include "command/report_inlined.h"
#include "command/trace_program.h"
#include "compile/compile.h"
#include "compile/interruptible_compile.h"
#include "compile/match/providers.h"
#include "compile/progress_line.h"
#include "run/last_resort.h"
#include "run/signals.h"
#include "run/target.h"

namespace kinst::command {
namespace {

// The texts of a run, in the order in which spans count them.
struct Texts {
  std::vector<compile::ProgramText> programs;
  compile::Libraries libraries;
};

// The programs of the command line, those of a mode, and the libraries that are found.
Result<Texts> find_texts(const CommandLine& line, const ModeHooks& hooks) {
  std::vector<compile::ProgramText> programs =
      KINST_TRY(prepared_texts(line, running_release()));
  programs.insert(programs.end(), hooks.texts.begin(), hooks.texts.end());
  compile::LibraryFiles library_files =
      compile::find_libraries(line.settings.libraries);
  for (const std::string& reason : library_files.unreadable) {
    say(line, "warning: " + reason);
  }
  const auto first_library = static_cast<std::uint32_t>(programs.size());
  return Texts{
      .programs = std::move(programs),
      .libraries = compile::Libraries(std::move(library_files.files), first_library)};
}

// Prints what is wrong with the programs. True if they cannot be run.
bool tell(const Diagnostics& diagnostics, const Texts& texts, const CommandLine& line) {
  tell_diagnostics(diagnostics, sources_of(texts.programs, texts.libraries), line);
  return diagnostics.has_errors();
}

// `#pragma D option`: those of the programs, which the command line's come before.
void apply_pragmas(const std::vector<d::Program>& programs, Settings& settings,
                   Diagnostics& diagnostics) {
  for (const d::Program& program : programs) {
    for (const d::Pragma& pragma : program.pragmas) {
      const auto* option = std::get_if<d::OptionPragma>(&pragma.node);
      if (option == nullptr) {
        continue;
      }
      const auto set =
          set_option(settings, option->name, option->value, SettingMoment::Pragma);
      if (!set) {
        diagnostics.error("D_PRAGMA_OPTSET", pragma.span, set.error().message);
      }
    }
  }
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
        if (description != nullptr && provider::means_process(description->provider)) {
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
Result<int> list_matched(const std::vector<d::Program>& programs, const Texts& texts,
                         compile::System& system, const CommandLine& line) {
  std::vector<const d::Program*> pointers;
  pointers.reserve(programs.size());
  for (const d::Program& program : programs) {
    pointers.push_back(&program);
  }
  Diagnostics diagnostics;
  compile::ProgressLine reading("reading functions");
  const compile::Providers providers = compile::make_providers(
      system, provider::Purpose::Listing, line.settings.compilation.most_probes,
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
  KINST_CHECK(write_output(in_format(line.settings.output.format, probes, providers,
                                     system.types, line.is_verbose)));
  return tell(diagnostics, texts, line) ? status_given_up : 0;
}

// The programs as they are parsed, whose pragmas have set their options. Nothing if
// they cannot be run, which is told.
std::optional<std::vector<d::Program>> parse(Texts& texts, const d::MacroValues& macros,
                                             compile::System& system,
                                             CommandLine& line) {
  Diagnostics diagnostics;
  std::vector<d::Program> programs =
      compile::parse(texts.programs, texts.libraries, macros, system, diagnostics);
  apply_pragmas(programs, line.settings, diagnostics);
  system.types.set_string_size(line.settings.string_size);
  compile::refuse_unused(programs, macros, line.settings.compilation, diagnostics);
  return tell(diagnostics, texts, line) ? std::nullopt
                                        : std::optional(std::move(programs));
}

bool traces(const CommandLine& line) {
  return line.mode != Mode::List && !line.only_compiles;
}

// Brings the target to where its probes can be found.
Result<void> prepare(run::Target& target, const std::vector<d::Program>& programs,
                     compile::System& system, const CommandLine& line) {
  if (!line.target_commands.empty() && (traces(line) || names_processes(programs))) {
    const run::Reached reached =
        KINST_TRY(run_to_evaluation(target, line.settings.evaluation_time));
    if (reached == run::Reached::Exit) {
      say(line,
          "the command of -c ends before its main(), so that nothing of it is traced; "
          "-x evaltime=preinit begins before its constructors");
    }
  }
  // What it has loaded, while it can be asked: its stacks may be named when it has
  // ended.
  static_cast<void>(system.processes.find(target.pid()));
  return {};
}

// Returns nothing, with a program that cannot be run in `diagnostics`, or if a signal
// came before anything had begun.
Result<std::optional<compile::Compilation>> compile_for_run(
    const compile::ParsedTexts& parsed, std::optional<pid_t> target,
    compile::System& system, compile::CompileOptions options,
    Diagnostics& diagnostics) {
  options.target = target;
  return compile::compile_until(
      diagnostics, [&](compile::Matched matched, const ProgressReport& reading) {
        options.matched = matched;
        return compile::compile(parsed, options, system, reading, diagnostics);
      });
}

void tell_compilation(const compile::Compilation& compilation, const Texts& texts,
                      compile::System& system, const CommandLine& line,
                      const ModeHooks& hooks) {
  if (hooks.texts.empty()) {
    tell_notes(compilation.matches, line);
    tell_inlined(compilation.matches, system.debug, line);
  }
  if (line.is_verbose) {
    tell_plan(compilation, line);
  }
  if (line.settings.shows_code) {
    tell_code(compilation, sources_of(texts.programs, texts.libraries), system.types);
  }
}

}  // namespace

Result<int> run_program(CommandLine& line, compile::KernelCode& code,
                        const ModeHooks& hooks) {
  run::StopSignals signals = KINST_TRY(run::StopSignals::block());
  run::LastResort last_resort = KINST_TRY(run::LastResort::start());
  d::MacroValues macros = macro_values(line);
  std::optional<run::Target> target = KINST_TRY(find_target(line, macros));
  Texts texts = KINST_TRY(find_texts(line, hooks));
  compile::System system(code);
  const auto programs = parse(texts, macros, system, line);
  if (!programs) {
    return status_given_up;
  }
  if (target) {
    KINST_CHECK(prepare(*target, *programs, system, line));
  }
  if (!traces(line)) {
    // Nothing has begun that would have to be ended.
    last_resort.set_patience(std::chrono::milliseconds(0));
  }
  if (line.mode == Mode::List) {
    return list_matched(*programs, texts, system, line);
  }
  Diagnostics diagnostics;
  const auto compilation =
      KINST_TRY(compile_for_run({.programs = *programs, .libraries = texts.libraries},
                                target ? std::optional(target->pid()) : std::nullopt,
                                system, line.settings.compilation, diagnostics));
  if (tell(diagnostics, texts, line)) {
    return status_given_up;
  }
  if (!compilation) {
    return 0;  // interrupted before anything had begun
  }
  tell_compilation(*compilation, texts, system, line, hooks);
  if (line.only_compiles) {
    tell_matches(*compilation, *programs, line);
    return 0;
  }
  return trace_program(
      {.compilation = *compilation, .texts = *programs, .system = system},
      {.signals = signals, .last_resort = last_resort}, target ? &*target : nullptr,
      line, hooks);
}

}  // namespace kinst::command
