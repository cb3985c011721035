// The current process and thread, by their numbers in the pid namespace that kinst runs
// in.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"

namespace kinst::codegen {

/// R0 = the current process's number in the upper half and the thread's in the lower,
/// as bpf_get_current_pid_tgid() returns them; 0 if the thread has no number in the
/// namespace.
void generate_current_numbers(const Scope& scope, Emitter& out);

/// R0 = the number of the process to which the task_struct at the address in R0
/// belongs. If the task_struct cannot be read, the clause faults; in a pid namespace R0
/// is 0 instead. scope.platform.kernel.task_process must be known.
void generate_process_of_task(const Scope& scope, Emitter& out);

/// Loads what the runtime's functions need to know of the pid namespace into `first`
/// and the two registers after it. scope.platform.pid_namespace must be set.
void load_pid_namespace(const Scope& scope, Register first, Emitter& out);

}  // namespace kinst::codegen
