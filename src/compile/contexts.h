// What a clause may use, which depends on the probes that its description matches.
#pragma once

#include <vector>

#include "compile/match/match.h"
#include "compile/match/providers.h"
#include "d/check/check.h"
#include "d/check/environment.h"
#include "types/type.h"

namespace kinst::compile {

/// Returns a context for each description of `matches`, in the same order.
/// unmatched: whether a description without probes is an error.
std::vector<d::ProbeContext> contexts_of(const Matches& matches,
                                         const Providers& providers,
                                         Unmatched unmatched,
                                         d::Environment& environment,
                                         types::TypeTable& types);

}  // namespace kinst::compile
