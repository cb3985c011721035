// What a run tells on standard error about itself.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "d/ast.h"
#include "provider/attach.h"
#include "session/command_line.h"
#include "session/compile.h"
#include "session/ground.h"

namespace kinst::session {

/// A sentence behind the command's name.
void say(const CommandLine& line, std::string_view message);

/// Where probes are not all that a description seems to mean. Told to who wants it
/// quiet, too: it changes what counts mean.
void tell_notes(const Matches& matches, const CommandLine& line);

/// For -v: what descriptions mean and cannot be traced, and why.
void tell_skipped(const Matches& matches, const CommandLine& line);

/// How many probes each text's descriptions mean, as dtrace(1) says it; nothing if the
/// run is quiet.
void tell_matches(const Compilation& made, const std::vector<d::Program>& programs,
                  const CommandLine& line);

/// Which modules the run waits for, if it waits for any and is not quiet.
void tell_waiting(const Matches& matches, const CommandLine& line);

/// For -v: what is skipped and why, where probes are, and which programs there are.
void tell_plan(const Compilation& made, const CommandLine& line);

/// How many probes the kernel did not take; for -v which, and why.
void tell_refused(const std::vector<provider::RefusedProbe>& probes,
                  const Compilation& made, const CommandLine& line);

/// For -x bpflog: what the kernel's verifier said, line by line.
void tell_verifier_log(std::string_view log);

/// For -S: the generated code, and each clause's variables. `sources` as spans count
/// them.
void tell_code(const Compilation& made, const std::vector<Source>& sources,
               const Ground& ground);

/// Says at the end of a run that none of its probes has fired, if there are others than
/// timers and dtrace's own; for people only, who else wonder why nothing is printed.
/// hits: how often those others fired.
void tell_silence(const Compilation& made, std::uint64_t hits, const CommandLine& line);

}  // namespace kinst::session
