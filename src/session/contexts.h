// What a clause may use, which depends on the probes that its description matches.
#pragma once

#include <vector>

#include "d/check.h"
#include "d/environment.h"
#include "session/match.h"
#include "session/providers.h"
#include "types/type.h"

namespace kinst::session {

/// Returns a context for each description of `matches`, in the same order.
/// unmatched: whether a description without probes is an error.
std::vector<d::ProbeContext> contexts_of(const Matches& matches,
                                         const Providers& providers,
                                         Unmatched unmatched,
                                         d::Environment& environment,
                                         types::TypeTable& types);

}  // namespace kinst::session
