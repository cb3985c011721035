// Where a kernel function's parameters are, by the machine's calling convention.
#pragma once

#include <vector>

#include "isa/calling_convention.h"
#include "provider/argument_place.h"
#include "provider/probe.h"
#include "types/kernel_types.h"
#include "types/type.h"

namespace kinst::provider {

/// What the calling convention must know of a function of that prototype.
isa::FunctionShape shape_of(const types::Prototype& prototype,
                            const types::TypeTable& types);

/// The parameters as they are listed and typed, in order.
std::vector<ProbeArgument> entry_arguments(const types::Prototype& prototype);

/// Of the parameters, in order, at the function's beginning.
std::vector<ArgumentPlace> entry_places(const types::Prototype& prototype,
                                        const types::TypeTable& types);

/// Whether the parameters fill words one after the other, without a gap: the kernel's
/// trampolines (fentry) count them so.
bool are_in_order(const std::vector<ArgumentPlace>& places);

}  // namespace kinst::provider
