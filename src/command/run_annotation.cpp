// `--annotate`: which program runs, and what is printed when it has.
#include "command/run_annotation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "command/annotate.h"
#include "command/in_format.h"
#include "command/page_file.h"
#include "command/pager.h"
#include "command/report.h"
#include "command/run_program.h"
#include "listing/annotation_page.h"

namespace kinst::command {
namespace {

listing::Colour colour_of_output(const CommandLine& line) {
  return !line.output_path && isatty(STDOUT_FILENO) != 0 ? listing::Colour::Yes
                                                         : listing::Colour::No;
}

std::uint64_t hits_lost(const run::Enabling& enabling) {
  std::uint64_t lost = enabling.missed();
  for (const kinst_counters& one : enabling.counters()) {
    lost += one.aggregation_drops + one.errors;
  }
  return lost;
}

std::vector<KernelAddress> addresses_of(
    const std::vector<provider::RefusedProbe>& refused,
    const compile::Compilation& compilation) {
  std::vector<KernelAddress> out;
  for (const provider::RefusedProbe& one : refused) {
    const auto* site = std::get_if<provider::KernelInstruction>(
        &compilation.matches.probes.all()[one.probe].site);
    if (site != nullptr) {
      out.push_back(site->address);
    }
  }
  return out;
}

std::string presented(const std::vector<listing::Annotation>& annotations,
                      const CommandLine& line) {
  if (line.prints_page_source) {
    return listing::page_source(annotations);
  }
  return in_format(line.settings.output.format, annotations, colour_of_output(line));
}

listing::RunFacts run_facts(const CommandLine& line, const RunEnd& end,
                            Counted counted) {
  listing::RunFacts facts{.without_children = counted == Counted::TargetProcess,
                          .missed = hits_lost(end.enabling)};
  if (end.process) {
    facts.process = *end.process;
  }
  if (!line.target_commands.empty()) {
    facts.command = line.target_commands.front();
  }
  return facts;
}

// A process's parents are found by the kernel's types.
Counted whose_executions(const CommandLine& line) {
  if (line.target_commands.empty() && line.processes.empty()) {
    return Counted::Everybody;
  }
  if (access("/sys/kernel/btf/vmlinux", R_OK) == 0) {
    return Counted::Target;
  }
  say(line,
      "counting what the target process runs, without the processes that it starts: "
      "these are known by the kernel's types only (BTF, /sys/kernel/btf/vmlinux)");
  return Counted::TargetProcess;
}

}  // namespace

Result<int> run_annotation(CommandLine& line, compile::KernelCode& code) {
  if (line.html_path) {
    KINST_CHECK(check_graph_layout());
  }
  const auto& symbols = code.symbols.get();
  if (!symbols) {
    return tl::unexpected(symbols.error());
  }
  const AnnotatedFunctions wanted =
      KINST_TRY(functions_to_annotate(line.functions, *symbols, code.functions));
  for (const std::string& skipped : wanted.skipped) {
    say(line, fmt::format("skipped {}", skipped));
  }
  const Counted counted = whose_executions(line);
  ModeHooks hooks;
  hooks.texts.push_back(
      counting_program(wanted.functions, code.functions.rules(), code.isa, counted));
  std::optional<std::vector<listing::Annotation>> annotations;
  hooks.conclude = [&](const RunEnd& end) -> Result<void> {
    const listing::Counts counts = KINST_TRY(take_counts(end.printer.aggregations()));
    const ShownText shown{.symbols = *symbols,
                          .rules = code.functions.rules(),
                          .debug = end.debug,
                          .isa = code.isa,
                          .syntax = line.syntax};
    annotations =
        annotate(wanted.functions, counts, addresses_of(end.refused, end.compilation),
                 shown, run_facts(line, end, counted));
    end.printer.finish();
    if (line.output_path && !line.html_path) {
      end.printer.print(presented(*annotations, line));
      end.printer.flush();
    }
    return {};
  };
  const int status = KINST_TRY(run_program(line, code, hooks));
  // By now nothing is traced any more, however long somebody reads.
  if (annotations && line.html_path) {
    KINST_CHECK(write_page(*line.html_path, listing::page_source(*annotations)));
  } else if (annotations && !line.output_path) {
    KINST_CHECK(show(presented(*annotations, line)));
  }
  return status;
}

}  // namespace kinst::command
