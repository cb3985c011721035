// What the code generator must know of this machine and kernel.
#pragma once

#include <optional>

#include "base/result.h"
#include "codegen/platform.h"
#include "isa/isa.h"
#include "types/kernel_types.h"

namespace kinst::session {

/// types: where offsets in the kernel's structures come from; null if none are needed.
/// Errors: the number of CPUs cannot be read. A kernel without BTF only lacks offsets.
Result<codegen::Platform> make_platform(const isa::Isa& isa, types::TypeTable& table,
                                        types::KernelTypes* types);

/// Whether the numbers that the kernel's helpers give are those of this process, too.
bool is_in_initial_pid_namespace();

/// Nothing in the initial namespace, and nothing where the kernel's types are not
/// known.
std::optional<codegen::PidNamespace> pid_namespace(types::TypeTable& table,
                                                   types::KernelTypes& types);

}  // namespace kinst::session
