// Functions that are traced where they are called, and stand elsewhere too.
#pragma once

#include "session/command_line.h"
#include "session/ground.h"
#include "session/match.h"

namespace kinst::session {

/// A line if functions at whose entries or returns there are probes were inlined into
/// others as well, where these probes do not fire, and how those copies are traced.
/// With -v debug information is opened for that; else it is asked if the program has
/// opened it, as to open that of a kernel image takes long. Nothing if the run is
/// quiet.
void tell_inlined(const Matches& matches, Ground& ground, const CommandLine& line);

}  // namespace kinst::session
