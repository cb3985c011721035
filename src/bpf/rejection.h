// Why the kernel did not load a program, from what it said of it.
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

/// One sentence with the true cause: what the user's program asks too much of, what the
/// system lacks, which privilege is missing. All else is a bug of kinst and says so.
/// Source: kernel/bpf/verifier.c and bpf_prog_load() in kernel/bpf/syscall.c.
Error explain_rejection(const Rejection& rejection);

}  // namespace kinst::bpf
