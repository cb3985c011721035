// How the ends of kernel functions are traced: the fastest way that this kernel has.
#pragma once

#include "base/result.h"
#include "codegen/platform.h"
#include "d/typed_program.h"
#include "session/match.h"
#include "session/settings.h"
#include "types/kernel_types.h"

namespace kinst::session {

/// Decides for all probes of `matches` that are ends of kernel functions:
///
///   fentry        few of them, in functions that BTF knows, for programs that look at
///                 no registers: a program each, the least cost for each call
///   kprobe.multi  any number at once
///   kprobe        events, which every kernel with kprobes has
///
/// What the kernel can is found out by trying. Sets the probes' traced_id and the
/// platform's function_attach_type.
/// wanted: the option fbt; a way that this kernel lacks is then an error.
Result<void> choose_function_way(FunctionWay wanted, const d::typed::Program& program,
                                 types::KernelTypes& types, Matches& matches,
                                 codegen::Platform& platform);

}  // namespace kinst::session
