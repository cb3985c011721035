// Compiling as long as nobody interrupts it.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "base/result.h"
#include "session/compile.h"
#include "session/ground.h"
#include "session/providers.h"
#include "session/signals.h"

namespace kinst::session {

/// As compile(), with a line on a terminal while the code of many functions is read.
/// A signal that comes then ends the reading, and the program is compiled for kinst's
/// own probes only: nothing will be attached, but END runs. The signal is not taken.
/// Nothing, and nothing in `diagnostics`, if END cannot be had without the others.
Result<std::optional<Compilation>> compile_until(StopSignals& signals,
                                                 const ParsedTexts& texts,
                                                 const Providers& providers,
                                                 CompileOptions options, Ground& ground,
                                                 Diagnostics& diagnostics);

}  // namespace kinst::session
