// What the kernel does to nops of user programs that are probed.
#pragma once

namespace kinst::provider {

/// Whether a program computes the same with a uprobe at a nop between instructions,
/// found out by such a probe in this process: Linux 6.18 replaces some nops by calls,
/// which push. It takes a tenth of a second. False where it cannot be found out.
bool nops_stay_when_probed();

}  // namespace kinst::provider
