// Where control leaves a function.
#pragma once

#include "isa/instruction.h"
#include "kernel/code/function.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// Whether the instruction always leaves the function: a return, or a jump to another
/// function (a tail call). The part that the compiler split off (cold_parts.h) belongs
/// to the function. An indexed jump is assumed to go through a table of places in the
/// function.
bool leaves(const Function& function, const isa::Instruction& instruction,
            const Symbols& symbols);

/// Whether a conditional jump goes from the instruction to another function.
bool may_leave(const Function& function, const isa::Instruction& instruction,
               const Symbols& symbols);

}  // namespace kinst::kernel
