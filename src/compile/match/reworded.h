// Hints for descriptions that match nothing because their fields are in the wrong
// places.
#pragma once

#include <functional>
#include <string>

#include "compile/match/providers.h"
#include "d/syntax/ast.h"

namespace kinst::compile {

/// A hint for a description that has a provider's name in the place of a module or
/// function: fields are counted from the right, so "kinst:vfs_read:9" is a module, a
/// function and a name. Empty if no provider's name is there.
std::string hint_for_provider_first(const d::Description& description,
                                    const Providers& providers);

/// A hint for a description of one or two fields that lacks its provider: "read" means
/// syscall::read:entry, "sched:sched_switch" means sdt:sched::sched_switch.
/// matches: whether a description matches probes. Empty if there is no such probe.
std::string hint_for_no_provider(
    const d::Description& description,
    const std::function<bool(const d::Description&)>& matches);

}  // namespace kinst::compile
