// Recognizes descriptions in the notation of other tracers.
#pragma once

#include <optional>
#include <string>

#include "d/syntax/ast.h"

namespace kinst::compile {

/// A hint for a description that matches nothing, if it is how bpftrace, perf or
/// another DTrace names a place: for "kprobe:vfs_read" the hint is fbt::vfs_read:entry.
std::optional<std::string> meant_by_others(const d::Description& description);

}  // namespace kinst::compile
