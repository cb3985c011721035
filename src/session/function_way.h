// How the ends of kernel functions are traced: the fastest way that this kernel has and
// that tells what the program asks for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/platform.h"
#include "d/typed_program.h"
#include "session/ground.h"
#include "session/match.h"
#include "session/settings.h"

namespace kinst::session {

/// Decides for all probes of `matches` that are ends of kernel functions:
///
///   fentry        few of them, in functions that BTF knows, for programs that look at
///                 no registers and no stack: a program each, the least cost for each
///                 call
///   kprobe.multi  any number at once
///   breakpoint    many: behind the function tracer's call, and at the instructions
///                 that return, if the function has no tail calls
///   kprobe        events, which every kernel with kprobes has
///
/// Only a breakpoint tells which instruction returned. So returns where the program
/// reads arg0 are traced by breakpoints, tail calls included.
///
/// What the kernel can is found out by trying. Sets the probes' traced_id and
/// breakpoints, and the platform's function_attach_type. Gives remarks: of which probes
/// arg0 is not known, and why.
/// wanted: the option fbt; a way that this kernel lacks is then an error.
Result<std::vector<std::string>> choose_function_way(FunctionWay wanted,
                                                     const d::typed::Program& program,
                                                     Ground& ground, Matches& matches,
                                                     codegen::Platform& platform);

}  // namespace kinst::session
