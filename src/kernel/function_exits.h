// Where control leaves a function.
#pragma once

#include <optional>

#include "isa/instruction.h"
#include "kernel/function.h"
#include "kernel/symbols.h"

namespace kinst::kernel {

/// Whether control goes from the instruction to another function, for good: a return,
/// or a jump there, which is how a function ends that calls another one last. What the
/// compiler split off into NAME.cold is the same function still. Of an indexed jump it
/// is assumed that it goes through a table of places in the function.
bool leaves(const Function& function, const isa::Instruction& instruction,
            const Symbols& symbols);

/// Whether a conditional jump goes from the instruction to another function.
bool may_leave(const Function& function, const isa::Instruction& instruction,
               const Symbols& symbols);

/// The part of the function that the instruction jumps to, if the compiler split it off
/// (NAME.cold).
std::optional<Symbol> cold_part_at(const Function& function,
                                   const isa::Instruction& instruction,
                                   const Symbols& symbols);

}  // namespace kinst::kernel
