// Which instructions a source line or an inlined function's copy stands for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "kernel/debug_information.h"
#include "kernel/function_reader.h"
#include "provider/selector.h"

namespace kinst::provider {

/// Where the code of a line begins: the first instruction of each of its pieces, as
/// debuggers stop there. In address order; empty if the line has no code in the rows.
/// rows: of the function's text.
std::vector<KernelAddress> addresses_of_line(std::span<const kernel::LineRow> rows,
                                             const OfSourceLine& wanted);

/// What to say if it has none: "no code of line 7; lines 5 and 9 have some".
std::string why_no_line(std::span<const kernel::LineRow> rows,
                        const OfSourceLine& wanted);

/// The first instruction of a copy of an inlined function that can be traced; empty if
/// none can.
/// examined: the function that the copy is in.
std::vector<KernelAddress> entry_of_copy(const kernel::InlinedCopy& copy,
                                         const kernel::ExaminedFunction& examined,
                                         const kernel::ProbeRules& rules,
                                         const isa::Isa& isa);

/// The instructions by which control leaves the copy: the last before what comes after
/// it, and jumps out of it. Calls come back and do not leave.
std::vector<KernelAddress> exits_of_copy(const kernel::InlinedCopy& copy,
                                         const kernel::Function& function);

}  // namespace kinst::provider
