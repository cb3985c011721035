// Finds where a kernel function's parameters are, by the machine's calling convention.
#pragma once

#include <vector>

#include "isa/calling_convention.h"
#include "isa/isa.h"
#include "provider/argument_place.h"
#include "provider/probe.h"
#include "types/kernel_types.h"
#include "types/type.h"

namespace kinst::provider {

/// The properties of a function of this prototype that the calling convention depends
/// on.
isa::FunctionShape shape_of(const types::Prototype& prototype,
                            const types::TypeTable& types);

/// The parameters, in order, as they are listed and as args[] has them.
std::vector<ProbeArgument> entry_arguments(const types::Prototype& prototype);

/// The places of the parameters, in order, at the function's entry.
std::vector<ArgumentPlace> entry_places(const types::Prototype& prototype,
                                        const types::TypeTable& types,
                                        const isa::Isa& isa);

/// Whether the parameters fill the words in order and without a gap. The kernel's
/// trampolines (fentry) assume this.
bool are_in_order(const std::vector<ArgumentPlace>& places);

}  // namespace kinst::provider
