// A second process, which cleans up if this process is killed.
#pragma once

#include "base/result.h"
#include "base/system/survivor.h"

namespace kinst::bpf {

/// Starts the watcher. If this process is killed, the watcher removes its group of
/// probe events and restores the settings that it borrowed. Start it before there is
/// anything to clean up, and before there are other threads.
Result<Survivor> start_watcher();

}  // namespace kinst::bpf
