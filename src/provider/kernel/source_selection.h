// Finds the instructions of a source line or of an inlined copy.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "kernel/code/function_reader.h"
#include "kernel/debug/debug_information.h"
#include "provider/kernel/selector.h"

namespace kinst::provider {

/// The addresses at which the code of a line begins, ascending: the first instruction
/// of each of its pieces, where debuggers stop as well. Empty if `rows` has no code of
/// the line.
/// rows: the line rows of the function's text.
std::vector<KernelAddress> addresses_of_line(std::span<const kernel::LineRow> rows,
                                             const OfSourceLine& wanted);

/// The message if the line has no code: "no code of line 7; lines 5 and 9 have some".
std::string why_no_line(std::span<const kernel::LineRow> rows,
                        const OfSourceLine& wanted);

/// The first instruction of a copy of an inlined function that can be traced; empty if
/// none can.
/// examined: the function that the copy is in.
std::vector<KernelAddress> entry_of_copy(const kernel::InlinedCopy& copy,
                                         const kernel::ExaminedFunction& examined,
                                         const kernel::ProbeRules& rules,
                                         const isa::Isa& isa);

/// The instructions that leave the copy: the last one before the code that follows the
/// copy, and jumps out of the copy. Calls return and do not leave.
std::vector<KernelAddress> exits_of_copy(const kernel::InlinedCopy& copy,
                                         const kernel::Function& function);

}  // namespace kinst::provider
