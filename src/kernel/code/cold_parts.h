// The unlikely part of a function, which the compiler puts elsewhere as NAME.cold. It
// belongs to the function: control goes there and comes back by jumps.
#pragma once

#include <optional>
#include <vector>

#include "kernel/code/function.h"
#include "kernel/code/function_reader.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// The part of the function that `address` lies in, if that is one which was split off.
/// A function can have several names, and its part is named by one of them.
std::optional<Symbol> cold_part_at(const Function& function, KernelAddress address,
                                   const Symbols& symbols);

/// Whether `function` is a part that was split off from the one at `address`.
bool is_cold_part_of(const Function& function, KernelAddress address,
                     const Symbols& symbols);

/// The parts that the function's jumps lead to, each once.
std::vector<Symbol> cold_parts_of(const Function& function, const Symbols& symbols);

/// Reads the parts of the functions behind these, as well as what was split off from
/// those parts. Errors: memory that cannot be read.
Result<void> add_cold_parts(std::vector<ExaminedFunction>& functions,
                            const Symbols& symbols, FunctionReader& reader);

}  // namespace kinst::kernel
