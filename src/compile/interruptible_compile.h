// Compiles a program unless the user interrupts it.
#pragma once

#include <functional>
#include <optional>

#include "base/progress.h"
#include "base/result.h"
#include "base/text/diagnostic.h"
#include "compile/compile.h"

namespace kinst::compile {

/// compile() with all its arguments bound, except for which probes it compiles and how
/// it reports what it has read.
using CompileFor = std::function<Result<std::optional<Compilation>>(
    Matched, const ProgressReport& reading)>;

/// Compiles for all probes, and shows a progress line on a terminal while the code of
/// many functions is read. A signal stops this reading. The program is then compiled
/// for BEGIN, END and ERROR only, so that END still runs; nothing will be attached. The
/// signal is left for the caller to take.
/// diagnostics: the same that `compile_for` uses.
/// Returns nothing, with empty `diagnostics`, if END cannot be compiled without the
/// other probes.
Result<std::optional<Compilation>> compile_until(Diagnostics& diagnostics,
                                                 const CompileFor& compile_for);

}  // namespace kinst::compile
