// Traces with a compiled program: loads it, prints what it records, and says at the end
// what went wrong.
#pragma once

#include <vector>

#include "base/result.h"
#include "command/mode_hooks.h"
#include "command/options/command_line.h"
#include "compile/compile.h"
#include "compile/match/system.h"
#include "d/syntax/ast.h"
#include "run/last_resort.h"
#include "run/signals.h"
#include "run/target.h"

namespace kinst::command {

/// A program that is ready to run.
struct ReadyProgram {
  const compile::Compilation& compilation;
  const std::vector<d::Program>& texts;  ///< as they were parsed
  compile::System& system;               ///< that it was compiled with
};

/// How signals come in.
struct Interruption {
  run::StopSignals& signals;
  run::LastResort& last_resort;
};

/// Traces until the program, the target, the reader or a signal ends the run. line: its
/// settings change with setopt(). target: may be null.
/// Returns the exit status: the argument of exit(), otherwise 0.
/// Errors: what the system refused.
Result<int> trace_program(const ReadyProgram& program, const Interruption& interruption,
                          run::Target* target, CommandLine& line,
                          const ModeHooks& hooks);

}  // namespace kinst::command
