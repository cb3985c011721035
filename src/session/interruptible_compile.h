// Compiling as long as nobody interrupts it.
#pragma once

#include <functional>
#include <optional>

#include "base/diagnostic.h"
#include "base/result.h"
#include "session/compile.h"
#include "session/ground.h"

namespace kinst::session {

/// compile() with all its arguments but which probes it is for.
using CompileFor = std::function<Result<std::optional<Compilation>>(Matched)>;

/// Compiles for all probes, with a line on a terminal while the code of many functions
/// is read. A signal that comes then ends the reading, and the program is compiled for
/// kinst's own probes only: nothing will be attached, but END runs. The signal is not
/// taken. ground, diagnostics: those that compile_for uses.
/// Nothing, and nothing in `diagnostics`, if END cannot be had without the others.
Result<std::optional<Compilation>> compile_until(Ground& ground,
                                                 Diagnostics& diagnostics,
                                                 const CompileFor& compile_for);

}  // namespace kinst::session
