// Runs a D program, from its text to the end of the run.
#pragma once

#include "base/result.h"
#include "command/mode_hooks.h"
#include "command/options/command_line.h"
#include "compile/match/system.h"

namespace kinst::command {

/// The exit status of a run that was given up after its errors were printed.
inline constexpr int status_given_up = 1;

/// Compiles the programs, and lists their probes or traces, as the command line says.
/// Returns the exit status.
/// Errors: what the system refused.
Result<int> run_program(CommandLine& line, compile::KernelCode& code,
                        const ModeHooks& hooks);

}  // namespace kinst::command
