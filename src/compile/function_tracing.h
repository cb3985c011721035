// Chooses how the ends of kernel functions are traced: by the fastest way that this
// kernel has and that provides what the program uses.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "codegen/plan/platform.h"
#include "compile/match/match.h"
#include "compile/match/system.h"
#include "compile/settings.h"
#include "d/typed/typed_program.h"

namespace kinst::compile {

/// Chooses a way for all probes of `matches` that are ends of kernel functions:
///
///   fentry        for a few functions that BTF knows, if the program uses no
///                 registers and no stack: one BPF program each, and the lowest cost
///                 for each call
///   kprobe.multi  for any number of functions
///   breakpoint    for many functions: at the instruction behind the function tracer's
///                 call, and at the instructions that return, if the function has no
///                 tail calls
///   kprobe        kprobe events, which every kernel with kprobes has
///
/// Only a breakpoint tells which instruction returned. So the returns of clauses that
/// read arg0 are traced by breakpoints, and tail calls count as returns there.
///
/// Each way is tried to find out whether this kernel has it. Sets the probes' traced_id
/// and breakpoints, and the platform's function_attach_type. Returns remarks: the
/// probes whose arg0 is not known, and why.
/// wanted: the option fbt.
/// Errors: this kernel lacks the way that is wanted, or that way cannot provide what
/// the program uses.
Result<std::vector<std::string>> choose_function_way(
    FunctionWay wanted, const d::typed::Program& program, System& system,
    const ProgressReport& reading, Matches& matches, codegen::Platform& platform);

}  // namespace kinst::compile
