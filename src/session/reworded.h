// Descriptions that match nothing as they stand, said as somebody meant them.
#pragma once

#include <functional>
#include <string>

#include "d/ast.h"
#include "session/providers.h"

namespace kinst::session {

/// A hint for a description whose provider stands where a module or a function belongs,
/// as fields are counted from the right: "kinst:vfs_read:9" is a module, a function and
/// a name. Empty if no provider stands there.
std::string hint_for_provider_first(const d::Description& description,
                                    const Providers& providers);

/// A hint for one or two fields without a provider that mean a probe with one: "read"
/// and "sched:sched_switch" are syscall::read:entry and sdt:sched::sched_switch.
/// matches: whether a description has probes. Empty if there is no such probe.
std::string hint_for_no_provider(
    const d::Description& description,
    const std::function<bool(const d::Description&)>& matches);

}  // namespace kinst::session
