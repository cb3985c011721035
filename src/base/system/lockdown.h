// Kernels that do not let even root read their memory.
#pragma once

#include <string>

namespace kinst {

/// The end of an error message: it says that the kernel is locked down for
/// confidentiality, and what would help. Empty if the kernel is not locked down, or if
/// securityfs does not say.
/// Source: security/lockdown/lockdown.c; LOCKDOWN_KCORE, _KPROBES, _BPF_READ_KERNEL and
/// _TRACEFS are all of confidentiality.
std::string explain_lockdown();

}  // namespace kinst
