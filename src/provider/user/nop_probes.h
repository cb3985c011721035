// How the kernel treats nops in user programs when they are probed.
#pragma once

#include "isa/isa.h"

namespace kinst::provider {

/// Whether a uprobe at a nop leaves the program's results unchanged. Linux 6.18
/// replaces some nops by calls, which push onto the stack. This is found out by a
/// uprobe in this process, in a tenth of a second. False if it cannot be found out.
bool nops_stay_when_probed(const isa::Isa& isa);

}  // namespace kinst::provider
