// Whether this kernel has a fault that some kernels of its machine have.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "isa/kprobes.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// Whether this kernel, when it emulates what the fault concerns, does what the
/// instruction would do. True if it does not emulate such instructions; nothing if its
/// code does not show it. Errors: memory that cannot be read.
Result<std::optional<bool>> is_emulated_right(const Memory& memory,
                                              const Symbols& symbols,
                                              const isa::EmulationFault& fault);

/// Whether the release, as `uname -r` has it, is `first` or a later one: "6.7.2" is
/// since {6, 7}. A release of another form is not.
bool is_since(std::string_view release, isa::KernelRelease first);

}  // namespace kinst::kernel
