// Descriptions as other tracers have them, and what they are here.
#pragma once

#include <optional>
#include <string>

#include "d/ast.h"

namespace kinst::session {

/// A hint for a description that matches nothing, if it is how bpftrace, perf or
/// another DTrace names a place: "kprobe:vfs_read" is fbt::vfs_read:entry here.
std::optional<std::string> meant_by_others(const d::Description& description);

}  // namespace kinst::session
