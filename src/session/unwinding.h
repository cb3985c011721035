// The tables by which the stacks of processes are walked.
#pragma once

#include <sys/types.h>

#include <set>

#include "codegen/unwind_tables.h"
#include "d/typed_program.h"
#include "isa/isa.h"
#include "types/kernel_types.h"
#include "types/type.h"
#include "user/process.h"

namespace kinst::session {

/// Whether the program looks at the stacks of user programs.
bool uses_user_stacks(const d::typed::Program& program);

/// Tables for all that those processes have mapped by now. Files without call frame
/// information, processes of narrower programs and those that cannot be read have none.
codegen::UnwindTables make_unwind_tables(const std::set<pid_t>& processes,
                                         user::Processes& known, const isa::Isa& isa,
                                         types::TypeTable& table,
                                         types::KernelTypes& types);

}  // namespace kinst::session
