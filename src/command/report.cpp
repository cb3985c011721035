#include "command/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "base/system/standard_streams.h"
#include "bpf/code/program.h"
#include "codegen/plan_programs.h"
#include "codegen/variable_listing.h"
#include "command/program_texts.h"
#include "consumer/output_format.h"
#include "provider/attach_order.h"
#include "provider/provider.h"

namespace kinst::command {
namespace {

// How many instructions of each function have a probe and how many are skipped.
void tell_functions(const compile::Compilation& compilation, const CommandLine& line) {
  struct Sum {
    std::size_t probes = 0;
    std::size_t skipped = 0;
  };
  std::map<std::string, Sum, std::less<>> sums;
  for (const provider::Probe& probe : compilation.matches.probes.all()) {
    if (std::holds_alternative<provider::KernelInstruction>(probe.site)) {
      ++sums[fmt::format("{}:{}:{}", probe.provider, probe.module, probe.function)]
            .probes;
    }
  }
  for (const provider::Skipped& skipped : compilation.matches.skipped) {
    if (skipped.probe.starts_with("kinst:")) {
      ++sums[skipped.probe.substr(0, skipped.probe.rfind(':'))].skipped;
    }
  }
  for (const auto& [function, sum] : sums) {
    say(line, fmt::format("{}: {} probe{}, {} skipped", function, sum.probes,
                          sum.probes == 1 ? "" : "s", sum.skipped));
  }
}

// A terminal, or the guest's end of one.
bool is_for_people() {
  // Nothing changes the environment while kinst runs.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  return isatty(STDERR_FILENO) == 1 || std::getenv("KINST_TERMINAL") != nullptr;
}

}  // namespace

void say(const CommandLine& line, std::string_view message) {
  write_error(fmt::format("{}: {}\n", line.command, message));
}

void tell_diagnostics(const Diagnostics& diagnostics,
                      const std::vector<Source>& sources, const CommandLine& line) {
  const ShowTags tags = line.settings.shows_error_tags ? ShowTags::Yes : ShowTags::No;
  for (const Diagnostic& one : diagnostics.all()) {
    write_error(fmt::format("{}: {}", line.command, render(one, sources, tags)));
  }
}

void tell_notes(const compile::Matches& matches, const CommandLine& line) {
  for (const std::string& note : matches.notes) {
    say(line, note);
  }
}

void tell_skipped(const compile::Matches& matches, const CommandLine& line) {
  for (const provider::Skipped& skipped : matches.skipped) {
    say(line, fmt::format("skipped {}: {}", skipped.probe, skipped.reason));
  }
}

void tell_matches(const compile::Compilation& compilation,
                  const std::vector<d::Program>& programs, const CommandLine& line) {
  std::size_t description = 0;
  for (std::size_t number = 0; number < line.programs.size(); ++number) {
    std::ptrdiff_t count = 0;
    for (const d::Item& item : programs[number].items) {
      if (const auto* clause = std::get_if<d::Clause>(&item)) {
        for (std::size_t one = 0; one < clause->probes.size(); ++one) {
          count += std::ranges::count_if(
              compilation.matches.of_description[description++],
              [&](std::size_t index) {
                return !provider::is_awaited(compilation.matches.probes.all()[index]);
              });
        }
      }
    }
    if (!line.settings.output.quiet) {
      say(line, fmt::format("{} matched {} probe{}", spoken_name(line.programs[number]),
                            count, count == 1 ? "" : "s"));
    }
  }
}

void tell_waiting(const compile::Matches& matches, const CommandLine& line) {
  std::set<std::string> modules;
  for (const provider::Probe& probe : matches.probes.all()) {
    if (provider::comes_with_module(probe)) {
      modules.insert(probe.module);
    }
  }
  if (!modules.empty() && !line.settings.output.quiet) {
    say(line, fmt::format("waiting for the module{} {}", modules.size() == 1 ? "" : "s",
                          fmt::join(modules, ", ")));
  }
}

void tell_plan(const compile::Compilation& compilation, const CommandLine& line) {
  tell_skipped(compilation.matches, line);
  for (const std::string& remark : compilation.remarks) {
    say(line, remark);
  }
  tell_functions(compilation, line);
  const auto slow = std::ranges::count_if(
      compilation.matches.probes.all(), [](const provider::Probe& probe) {
        return provider::slows_attaching(probe, isa::native());
      });
  if (slow > 0) {
    say(line, fmt::format("{} probe{} in the kernel's instruction decoder, which the "
                          "kernel runs to add a probe: attached last, and others slow "
                          "to attach meanwhile",
                          slow, slow == 1 ? "" : "s"));
  }
  write_error(codegen::to_text(compilation.plan, compilation.matches.probes.all()));
}

void tell_refused(const std::vector<provider::RefusedProbe>& probes,
                  const compile::Compilation& compilation, const CommandLine& line) {
  if (probes.empty()) {
    return;
  }
  say(line, fmt::format("{} probe{} could not be attached{}", probes.size(),
                        probes.size() == 1 ? "" : "s",
                        line.is_verbose ? ":" : " (-v lists them)"));
  for (const provider::RefusedProbe& one : probes) {
    const provider::Probe& probe = compilation.matches.probes.all()[one.probe];
    if (line.is_verbose) {
      say(line, fmt::format("{}: {}", provider::full_name(probe), one.reason));
    }
  }
}

void tell_silence(const compile::Compilation& compilation, std::uint64_t hits,
                  const CommandLine& line) {
  const auto waiting = std::ranges::count_if(
      compilation.matches.probes.all(),
      [](const provider::Probe& probe) { return !provider::fires_by_itself(probe); });
  const consumer::OutputOptions& output = line.settings.output;
  if (hits != 0 || output.quiet || waiting == 0 || !is_for_people() ||
      !consumer::output_format_info(output.format).is_for_people) {
    return;
  }
  say(line, fmt::format("no probe fired: nothing ran what {} at{}",
                        waiting == 1 ? "the probe is" : "the probes are",
                        line.target_commands.empty()
                            ? "; -c COMMAND traces while a command runs"
                            : ""));
}

void tell_verifier_log(std::string_view log) {
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    write_error(fmt::format("BPF: {}\n", log.substr(0, end)));
    log.remove_prefix(std::min(end + 1, log.size()));
  }
}

void tell_code(const compile::Compilation& compilation,
               const std::vector<Source>& sources, const types::TypeTable& types) {
  for (const bpf::Program& program : compilation.generated.object.programs) {
    write_error(bpf::dump(program, compilation.generated.object.maps) + "\n");
  }
  const auto line_of = [&](const Span& span) {
    return position_of(span, sources.at(span.source)).at.line;
  };
  write_error(codegen::list_variables(compilation.program,
                                      compilation.generated.storage, types, line_of));
}

}  // namespace kinst::command
