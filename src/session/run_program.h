// A D program from its text to the end of its run.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "session/command_line.h"
#include "session/compile.h"
#include "session/ground.h"
#include "session/printing.h"
#include "session/running.h"

namespace kinst::session {

/// The exit status of what was given up, with everything said that is to be said.
inline constexpr int status_given_up = 1;

/// A run that is over; its probes are still attached, but inactive.
struct RunEnd {
  const Compilation& made;
  Running& running;
  Printing& printing;
  const std::vector<provider::RefusedProbe>& refused;
  Ground& ground;
  std::optional<pid_t> process;  ///< of -c or -p
};

/// What a mode adds to the programs of the command line, of which there may be none.
struct Supplement {
  std::vector<ProgramText> texts;
  /// Prints what is printed at the end of a run.
  std::function<Result<void>(const RunEnd&)> conclude = [](const RunEnd& end) {
    end.printing.finish();
    return Result<void>();
  };
};

/// Compiles, and lists or traces as the command line says. Returns the exit status.
/// Errors: what the system refused.
Result<int> run_program(CommandLine& line, KernelCode& code,
                        const Supplement& supplement);

}  // namespace kinst::session
