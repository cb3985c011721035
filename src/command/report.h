// Messages of a run about itself, on standard error.
#pragma once

#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "command/options/command_line.h"
#include "compile/compile.h"
#include "d/syntax/ast.h"
#include "provider/attach.h"
#include "types/type.h"

namespace kinst::command {

/// Prints a message after the command's name.
void say(const CommandLine& line, std::string_view message);

/// Prints what is wrong with programs, each error and warning with its place.
/// sources: see sources_of().
void tell_diagnostics(const Diagnostics& diagnostics,
                      const std::vector<Source>& sources, const CommandLine& line);

/// Prints notes that a description's probes are fewer than it seems to mean. Printed
/// even with -q, because it changes what counts mean.
void tell_notes(const compile::Matches& matches, const CommandLine& line);

/// For -v: prints what descriptions match but cannot be traced, and why.
void tell_skipped(const compile::Matches& matches, const CommandLine& line);

/// Prints how many probes the descriptions of each text match, as dtrace(1) does;
/// nothing with -q.
void tell_matches(const compile::Compilation& compilation,
                  const std::vector<d::Program>& programs, const CommandLine& line);

/// Prints the modules that the run waits for, if there are any; nothing with -q.
void tell_waiting(const compile::Matches& matches, const CommandLine& line);

/// For -v: prints what is skipped and why, where probes are, and the BPF programs.
void tell_plan(const compile::Compilation& compilation, const CommandLine& line);

/// Prints how many probes the kernel refused; with -v also which, and why.
void tell_refused(const std::vector<provider::RefusedProbe>& probes,
                  const compile::Compilation& compilation, const CommandLine& line);

/// For -x bpflog: prints the log of the kernel's verifier, line by line.
void tell_verifier_log(std::string_view log);

/// For -S: prints the generated code and each clause's variables. sources: numbered as
/// in spans.
void tell_code(const compile::Compilation& compilation,
               const std::vector<Source>& sources, const types::TypeTable& types);

/// Prints at the end of a run that no probe has fired, for a user at a terminal who
/// would wonder why nothing is printed. Prints nothing if the run has only timers and
/// probes of the dtrace provider.
/// hits: how often the other probes fired.
void tell_silence(const compile::Compilation& compilation, std::uint64_t hits,
                  const CommandLine& line);

}  // namespace kinst::command
