// Explains, from errno and the verifier's log, why the kernel did not load a program.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kinst::bpf {

/// The kernel's refusal of one program.
struct Rejection {
  std::string_view program;  ///< its name
  int number = 0;            ///< errno of the first attempt, whatever a second one gave
  std::string_view log;      ///< the verifier's words; empty where it was not reached
};

/// One sentence with the true cause: the limit that the user's program exceeds, what
/// the system lacks, or the missing privilege. Any other cause is a bug of kinst, and
/// the sentence says so.
/// Source: kernel/bpf/verifier.c and bpf_prog_load() in kernel/bpf/syscall.c.
Error explain_rejection(const Rejection& rejection);

}  // namespace kinst::bpf
