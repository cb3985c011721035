// Who runs, in the numbers of the pid namespace that kinst runs in.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"

namespace kinst::codegen {

/// R0 = the current process's number in the upper half, the thread's in the lower, as
/// the helper bpf_get_current_pid_tgid() has them; 0 for who is not in the namespace.
void generate_current_numbers(const Scope& scope, Emitter& out);

/// R0 = the number of the process that the task_struct at the address in R0 is of. A
/// fault if it cannot be read, but in a pid namespace 0. scope.platform.kernel.
/// task_process must be known.
void generate_process_of_task(const Scope& scope, Emitter& out);

/// Loads into `first` and the two registers behind it what the runtime's functions want
/// to know of the pid namespace. Only where there is scope.platform.pid_namespace.
void load_pid_namespace(const Scope& scope, Register first, Emitter& out);

}  // namespace kinst::codegen
