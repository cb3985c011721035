// Runs a D program, from its text to the end of the run.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "command/command_line.h"
#include "compile/compile.h"
#include "compile/match/system.h"
#include "run/enabling.h"
#include "run/record_printer.h"

namespace kinst::command {

/// The exit status of a run that was given up after its errors were printed.
inline constexpr int status_given_up = 1;

/// A run that is over. Its probes are still attached, but they record nothing.
struct RunEnd {
  const compile::Compilation& compilation;
  run::Enabling& enabling;
  run::RecordPrinter& printing;
  const std::vector<provider::RefusedProbe>& refused;
  kernel::LazyDebugInformation& debug;
  std::optional<pid_t> process;  ///< the target
};

/// What a mode such as --annotate adds to the programs of the command line, which may
/// be none.
struct ModeHooks {
  std::vector<compile::ProgramText> texts;
  /// Called when the run is over. By default, prints the aggregations that are still to
  /// be printed.
  std::function<Result<void>(const RunEnd&)> conclude = [](const RunEnd& end) {
    end.printing.finish();
    return Result<void>();
  };
};

/// Compiles the programs, and lists their probes or traces, as the command line says.
/// Returns the exit status.
/// Errors: what the system refused.
Result<int> run_program(CommandLine& line, compile::KernelCode& code,
                        const ModeHooks& hooks);

}  // namespace kinst::command
