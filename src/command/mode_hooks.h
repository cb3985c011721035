// What a mode such as --annotate does with a run.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "kernel/debug/lazy_debug_information.h"
#include "provider/attach.h"
#include "run/enabling.h"
#include "run/record_printer.h"

namespace kinst::command {

/// A run that is over. Its probes are still attached, but they record nothing.
struct RunEnd {
  const compile::Compilation& compilation;
  run::Enabling& enabling;
  run::RecordPrinter& printer;
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
    end.printer.finish();
    return Result<void>();
  };
};

}  // namespace kinst::command
