// What clauses may use, by the probes their descriptions mean.
#pragma once

#include <vector>

#include "d/check.h"
#include "d/environment.h"
#include "session/match.h"
#include "session/providers.h"
#include "types/type.h"

namespace kinst::session {

/// One context for each description of `matches`, in order. `unmatched`: what it means
/// that a description has none.
std::vector<d::ProbeContext> contexts_of(const Matches& matches,
                                         const Providers& providers,
                                         Unmatched unmatched,
                                         d::Environment& environment,
                                         types::TypeTable& types);

}  // namespace kinst::session
