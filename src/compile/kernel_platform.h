// Collects what the code generator must know of this machine and kernel.
#pragma once

#include <optional>

#include "base/result.h"
#include "codegen/plan/platform.h"
#include "isa/isa.h"
#include "types/kernel_types.h"

namespace kinst::compile {

/// types: the kernel's types, from which structure offsets are read; null if the
/// program needs no offsets.
/// Errors: the number of CPUs cannot be read. Without BTF the platform merely has no
/// offsets.
Result<codegen::Platform> make_platform(const isa::Isa& isa, types::KernelTypes* types);

/// Whether this process runs in the initial pid namespace, whose process numbers the
/// kernel's BPF helpers return.
bool is_in_initial_pid_namespace();

/// The pid namespace of this process. Nothing if it is the initial namespace, or if the
/// kernel's types are not known.
std::optional<codegen::PidNamespace> pid_namespace(types::KernelTypes& types);

}  // namespace kinst::compile
