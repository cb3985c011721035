// The table of contents: parse, match, check, generate, load, attach, trace, print.
#include "session/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/standard_streams.h"
#include "bpf/program.h"
#include "codegen/variable_listing.h"
#include "session/compile.h"
#include "session/held_records.h"
#include "session/list_probes.h"
#include "session/macro_values.h"
#include "session/preprocess.h"
#include "session/printing.h"
#include "session/progress_line.h"
#include "session/running.h"
#include "session/signals.h"
#include "session/target.h"
#include "session/texts.h"
#include "session/trace.h"
#include "session/unwinding.h"

namespace kinst::session {
namespace {

// In the order in which spans count them.
std::vector<Source> sources_of(const std::vector<ProgramText>& texts,
                               const Libraries& libraries) {
  std::vector<Source> sources;
  for (const ProgramText& text : texts) {
    sources.push_back(text.source);
  }
  sources.insert(sources.end(), libraries.sources().begin(), libraries.sources().end());
  return sources;
}

// Prints what is wrong with the program, once. True if it cannot be run.
bool tell(Diagnostics& diagnostics, const std::vector<ProgramText>& texts,
          const Libraries& libraries, const CommandLine& line) {
  const std::vector<Source> sources = sources_of(texts, libraries);
  const ShowTags tags = line.settings.shows_error_tags ? ShowTags::Yes : ShowTags::No;
  for (const Diagnostic& one : diagnostics.all()) {
    write_error(fmt::format("{}: {}", line.command, render(one, sources, tags)));
  }
  return std::exchange(diagnostics, {}).has_errors();
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

// strsize counts a string's characters; the zero behind them comes on top.
std::uint32_t string_size(const Settings& settings) {
  return static_cast<std::uint32_t>(settings.string_bytes + 1);
}

// The kernel's ring buffers have whole pages, and a power of two of them.
constexpr std::uint64_t smallest_ring_buffer = 4096;
constexpr std::uint64_t largest_ring_buffer = std::uint64_t{1} << 30U;

std::uint64_t ring_buffer_bytes(const Settings& settings) {
  return std::bit_ceil(
      std::clamp(settings.buffer_bytes, smallest_ring_buffer, largest_ring_buffer));
}

// As DTrace: what could never hold a record is no buffer, whatever it is rounded to,
// and what is too large is made smaller with bufresize=auto only.
Result<void> check_buffer(const Compilation& made, const Settings& settings) {
  const codegen::Storage& storage = made.generated.storage;
  constexpr std::uint32_t ring_header_bytes = 8;
  const std::uint32_t record_bytes =
      storage.state_bytes - storage.record_offset + ring_header_bytes;
  if (settings.buffer_bytes < record_bytes) {
    return error(
        "could not enable tracing: Enabling exceeds size of buffer: a record takes {} "
        "bytes; set bufsize (-b) to more",
        record_bytes);
  }
  if (settings.buffer_bytes > largest_ring_buffer && !settings.resizes_buffer) {
    return error(
        "could not enable tracing: bufsize is more than {}, which a buffer can have; "
        "bufresize=auto makes it fit",
        largest_ring_buffer);
  }
  return {};
}

// BEGIN and END run where this process does.
Result<void> stay_on_cpu(std::uint64_t cpu) {
  cpu_set_t only;
  CPU_ZERO(&only);
  if (cpu < CPU_SETSIZE) {
    CPU_SET(cpu, &only);
  }
  if (sched_setaffinity(0, sizeof only, &only) != 0) {
    return error("cannot trace on CPU {}: {}", cpu,
                 errno == EINVAL
                     ? "it is not online (/sys/devices/system/cpu/online names those)"
                     : std::strerror(errno));
  }
  return {};
}

RunOptions run_options(const Settings& settings) {
  RunOptions options;
  if (settings.shows_verifier_log) {
    options.log_bytes = static_cast<std::uint32_t>(settings.verifier_log_bytes);
  }
  if (settings.cpu) {
    options.only_cpu = static_cast<int>(*settings.cpu);
  }
  if (!settings.expedites) {
    options.setting_policy = bpf::SettingPolicy::Leave;
  }
  return options;
}

std::chrono::milliseconds milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

CompileOptions compile_options(const Settings& settings) {
  CompileOptions options;
  options.unmatched =
      settings.allows_unmatched ? Unmatched::IsAllowed : Unmatched::IsError;
  options.allows_empty = settings.allows_empty_programs;
  options.check = {
      .destructive = settings.destructive,
      .stack_frames = static_cast<std::uint32_t>(settings.stack_frames),
      .user_stack_frames = static_cast<std::uint32_t>(settings.user_stack_frames),
      .maximum_frames = static_cast<std::uint32_t>(settings.maximum_frames),
      .jstack_frames = static_cast<std::uint32_t>(settings.java_stack_frames),
      .jstack_string_bytes =
          static_cast<std::uint32_t>(settings.java_stack_string_bytes),
      .scratch_bytes = static_cast<std::uint32_t>(settings.scratch_bytes)};
  options.function_way = settings.function_way;
  options.storage.string_size = string_size(settings);
  options.storage.buffer_size = ring_buffer_bytes(settings);
  options.storage.dynamic_variables_size = settings.dynamic_variable_bytes;
  options.storage.aggregations_size = settings.aggregation_bytes;
  options.storage.speculations = static_cast<std::uint32_t>(settings.speculations);
  options.storage.speculation_size = settings.speculation_bytes;
  options.storage.scratch_size = settings.scratch_bytes;
  if (settings.cpu) {
    options.only_cpu = static_cast<std::uint32_t>(*settings.cpu);
  }
  return options;
}

// How many probes each text's descriptions mean, as dtrace(1) says it.
void tell_matches(const Compilation& made, const std::vector<d::Program>& programs,
                  const CommandLine& line) {
  std::size_t description = 0;
  for (std::size_t number = 0; number < line.programs.size(); ++number) {
    std::size_t count = 0;
    for (const d::Item& item : programs[number].items) {
      if (const auto* clause = std::get_if<d::Clause>(&item)) {
        for (std::size_t one = 0; one < clause->probes.size(); ++one) {
          count += made.matches.of_description[description++].size();
        }
      }
    }
    if (!line.settings.quiet) {
      say(line, fmt::format("{} matched {} probe{}", spoken_name(line.programs[number]),
                            count, count == 1 ? "" : "s"));
    }
  }
}

// How many instructions of each function have a probe and how many are skipped.
void tell_functions(const Compilation& made, const CommandLine& line) {
  struct Sum {
    std::size_t probes = 0;
    std::size_t skipped = 0;
  };
  std::map<std::string, Sum, std::less<>> sums;
  for (const provider::Probe& probe : made.matches.probes.all()) {
    if (std::holds_alternative<provider::KernelInstruction>(probe.site)) {
      ++sums[fmt::format("{}:{}:{}", probe.provider, probe.module, probe.function)]
            .probes;
    }
  }
  for (const provider::Skipped& skipped : made.matches.skipped) {
    if (skipped.probe.starts_with("kinst:")) {
      ++sums[skipped.probe.substr(0, skipped.probe.rfind(':'))].skipped;
    }
  }
  for (const auto& [function, sum] : sums) {
    say(line, fmt::format("{}: {} probe{}, {} skipped", function, sum.probes,
                          sum.probes == 1 ? "" : "s", sum.skipped));
  }
}

// What -v tells: what is skipped and why, where probes are, and which programs there
// are.
void tell_plan(const Compilation& made, const CommandLine& line) {
  for (const provider::Skipped& skipped : made.matches.skipped) {
    say(line, fmt::format("skipped {}: {}", skipped.probe, skipped.reason));
  }
  for (const std::string& remark : made.remarks) {
    say(line, remark);
  }
  tell_functions(made, line);
  write_error(codegen::to_text(made.plan, made.matches.probes.all()));
}

void tell_refused(const std::vector<provider::RefusedProbe>& probes,
                  const Compilation& made, const CommandLine& line) {
  if (probes.empty()) {
    return;
  }
  say(line, fmt::format("{} probe{} could not be attached{}", probes.size(),
                        probes.size() == 1 ? "" : "s",
                        line.is_verbose ? ":" : " (-v lists them)"));
  for (const provider::RefusedProbe& one : probes) {
    const provider::Probe& probe = made.matches.probes.all()[one.probe];
    if (line.is_verbose) {
      say(line, fmt::format("{}:{}:{}:{}: {}", probe.provider, probe.module,
                            probe.function, probe.name, one.reason));
    }
  }
}

Result<FileDescriptor> open_output(const CommandLine& line) {
  if (!line.output_path) {
    return FileDescriptor(dup(STDOUT_FILENO));
  }
  FileDescriptor file(::open(line.output_path->c_str(),
                             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file) {
    return system_error(fmt::format("open {}", *line.output_path), errno);
  }
  return file;
}

// -x bpflog, line by line.
void tell_verifier_log(std::string_view log) {
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    write_error(fmt::format("BPF: {}\n", log.substr(0, end)));
    log.remove_prefix(std::min(end + 1, log.size()));
  }
}

Result<Running> load(const Compilation& made, const CommandLine& line) {
  const Settings& settings = line.settings;
  KINST_CHECK(check_buffer(made, settings));
  if (settings.cpu) {
    KINST_CHECK(stay_on_cpu(*settings.cpu));
  }
  auto loaded = Running::load(made, run_options(settings));
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
  const Compilation& made;
  const std::vector<d::Program>& programs;
  Ground& ground;
};

Result<int> load_and_trace(const Prepared& prepared, StopSignals& signals,
                           Target* target, CommandLine& line,
                           const Supplement& supplement) {
  const Compilation& made = prepared.made;
  Running running = KINST_TRY(load(made, line));
  // A reader that goes away is noticed where output is written, so that the run ends in
  // order.
  std::signal(SIGPIPE, SIG_IGN);
  const FileDescriptor output = KINST_TRY(open_output(line));
  const auto printing =
      KINST_TRY(Printing::make(made, prepared.ground, running, line.settings,
                               {.command = line.command, .descriptor = output.get()}));
  tell_matches(made, prepared.programs, line);
  if (line.settings.destructive && !line.settings.quiet) {
    say(line, "allowing destructive actions");
  }
  UnwindTablesInUse unwinding =
      KINST_TRY(UnwindTablesInUse::open(running.object(), prepared.ground));
  HeldRecords held(line.settings.buffer_policy, line.settings.buffer_bytes,
                   [&](std::span<const std::byte> record) { printing->take(record); });
  // Under a millisecond it cannot be told from taking records as they come.
  const auto rate = milliseconds(line.settings.switch_interval);
  std::vector<provider::RefusedProbe> refused_probes;
  const RecordSink sink{
      .record = [&](std::span<const std::byte> record) { held.add(record); },
      .refused =
          [&](const std::vector<provider::RefusedProbe>& probes) {
            refused_probes = probes;
            tell_refused(probes, made, line);
          },
      .pause = [&]() -> std::optional<Ended> {
        unwinding.follow();
        if (!printing->flush()) {
          return Ended::ByReader;
        }
        return held.is_full() ? std::optional(Ended::ByFullBuffer) : std::nullopt;
      },
      .over = [&] { held.end_of_run(); },
      .interval = rate.count() == 0 ? std::chrono::milliseconds(1000) : rate,
      .status_interval = std::max(milliseconds(line.settings.status_interval),
                                  std::chrono::milliseconds(1)),
      .gathers = rate.count() != 0};
  const Ended ended = KINST_TRY(trace(running, signals, target, sink));
  held.release();
  if (ended != Ended::ByReader) {
    KINST_CHECK(supplement.conclude(
        {.made = made,
         .running = running,
         .printing = *printing,
         .refused = refused_probes,
         .ground = prepared.ground,
         .process = target == nullptr ? std::nullopt : std::optional(target->pid())}));
  }
  ProgressLine line_of_detaching("detaching");
  running.detach(
      [&](std::size_t done, std::size_t all) { line_of_detaching.show(done, all); });
  line_of_detaching.clear();
  if (printing->failure()) {
    return tl::unexpected(*printing->failure());
  }
  return printing->exit_status().value_or(0);
}

// The process that the run is about: a command's, or one that runs.
Result<std::optional<Target>> find_target(const CommandLine& line,
                                          d::MacroValues& macros) {
  std::optional<Target> target;
  if (!line.target_commands.empty()) {
    target.emplace(KINST_TRY(Target::start(line.target_commands.front())));
  } else if (!line.processes.empty()) {
    target.emplace(KINST_TRY(Target::watch(line.processes.front())));
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
Result<void> run_to_evaluation(Target& target, user::EvaluationTime when,
                               StopSignals& signals) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience(2);
  std::optional<Clock::time_point> interrupted;
  return target.run_to(when, [&] {
    if (!interrupted && signals.has_come()) {
      interrupted = Clock::now();
    }
    return interrupted && Clock::now() - *interrupted > patience;
  });
}

Result<std::vector<ProgramText>> prepared_texts(const CommandLine& line) {
  std::vector<ProgramText> texts = KINST_TRY(read_texts(line));
  if (line.settings.runs_preprocessor) {
    for (ProgramText& text : texts) {
      text.source.text =
          KINST_TRY(preprocess(text.source.text, text.source.name, line.settings));
    }
  }
  return texts;
}

// The probes of the programs' descriptions; unmatched ones are told.
Result<int> list_matched(const std::vector<d::Program>& programs,
                         const std::vector<ProgramText>& texts,
                         const Libraries& libraries, Ground& ground,
                         const CommandLine& line) {
  const Providers providers =
      make_providers(ground, provider::Purpose::Listing, line.settings.most_probes);
  std::vector<const d::Program*> pointers;
  for (const d::Program& program : programs) {
    pointers.push_back(&program);
  }
  Diagnostics diagnostics;
  const Matches matches = match(pointers, providers, Unmatched::IsError, diagnostics);
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
  KINST_CHECK(
      write_output(probe_table(probes, providers, ground.types, line.is_verbose)));
  return tell(diagnostics, texts, libraries, line) ? refused : 0;
}

void show_code(const Compilation& made, const std::vector<Source>& sources,
               const Ground& ground) {
  for (const bpf::Program& program : made.generated.object.programs) {
    write_error(bpf::dump(program, made.generated.object.maps) + "\n");
  }
  const auto line_of = [&](const Span& span) {
    return place_of(span, sources.at(span.source)).at.line;
  };
  write_error(codegen::list_variables(made.program, made.generated.storage,
                                      ground.types, line_of));
}

}  // namespace

void say(const CommandLine& line, std::string_view message) {
  write_error(fmt::format("{}: {}\n", line.command, message));
}

Result<int> run_program(CommandLine& line, const Supplement& supplement) {
  StopSignals signals = KINST_TRY(StopSignals::block());
  d::MacroValues macros = macro_values(line);
  std::optional<Target> target = KINST_TRY(find_target(line, macros));
  std::vector<ProgramText> texts = KINST_TRY(prepared_texts(line));
  texts.insert(texts.end(), supplement.texts.begin(), supplement.texts.end());
  LibraryFiles library_files = find_libraries(line.settings);
  for (const std::string& reason : library_files.unreadable) {
    say(line, "warning: " + reason);
  }
  Libraries libraries(std::move(library_files.files),
                      static_cast<std::uint32_t>(texts.size()));
  Diagnostics diagnostics;
  std::vector<d::Program> programs;
  {
    Ground parsing(256);
    programs = parse(texts, libraries, macros, parsing, diagnostics);
  }
  apply_pragmas(programs, line.settings, diagnostics);
  refuse_unused(programs, macros, line.settings, diagnostics);
  if (tell(diagnostics, texts, libraries, line)) {
    return refused;
  }
  const bool traces = line.mode != Mode::List && !line.only_compiles;
  if (target && !line.target_commands.empty() &&
      (traces || names_processes(programs))) {
    KINST_CHECK(run_to_evaluation(*target, line.settings.evaluation_time, signals));
  }
  Ground ground(string_size(line.settings));
  if (target) {
    // What it has loaded, while it can be asked: its stacks may be named when it has
    // ended.
    static_cast<void>(ground.processes.find(target->pid()));
  }
  if (!traces) {
    unblock_stop_signals();  // nothing has begun that would have to be ended
  }
  if (line.mode == Mode::List) {
    return list_matched(programs, texts, libraries, ground, line);
  }
  const Providers providers =
      make_providers(ground, provider::Purpose::Tracing, line.settings.most_probes);
  CompileOptions options = compile_options(line.settings);
  options.target = target ? std::optional(target->pid()) : std::nullopt;
  const auto made = KINST_TRY(compile({.programs = programs, .libraries = libraries},
                                      providers, options, ground, diagnostics));
  if (tell(diagnostics, texts, libraries, line)) {
    return refused;
  }
  if (line.is_verbose) {
    tell_plan(*made, line);
  }
  if (line.settings.shows_code) {
    show_code(*made, sources_of(texts, libraries), ground);
  }
  if (line.only_compiles) {
    tell_matches(*made, programs, line);
    return 0;
  }
  return load_and_trace({.made = *made, .programs = programs, .ground = ground},
                        signals, target ? &*target : nullptr, line, supplement);
}

}  // namespace kinst::session
