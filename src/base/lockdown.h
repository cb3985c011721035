// Kernels that let not even root look into them.
#pragma once

#include <string>

namespace kinst {

/// That the kernel is locked down for confidentiality, with what would help, as the end
/// of a message; empty if it is not, or if securityfs does not tell.
/// Source: security/lockdown/lockdown.c; LOCKDOWN_KCORE, _KPROBES, _BPF_READ_KERNEL and
/// _TRACEFS are all of confidentiality.
std::string explain_lockdown();

}  // namespace kinst
