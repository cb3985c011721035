// What one invocation stands on: this kernel and its processes, read when needed.
#pragma once

#include <cstdint>

#include "isa/isa.h"
#include "kernel/lazy_debug_information.h"
#include "kernel/lazy_symbols.h"
#include "provider/sdt.h"
#include "session/debug_types.h"
#include "types/kernel_types.h"
#include "types/type.h"
#include "user/process.h"

namespace kinst::session {

/// Nothing in it is read before it is asked. It outlives everything compiled with it.
struct Ground {
  /// string_size_bytes: the option strsize.
  explicit Ground(std::uint32_t string_size_bytes)
      : types(string_size_bytes), kernel_types(types) {}

  types::TypeTable types;
  types::KernelTypes kernel_types;
  kernel::LazySymbols symbols;
  provider::StaticTracepoints tracepoints;
  user::Processes processes;
  const isa::Isa& isa = isa::native();
  kernel::LazyDebugInformation debug{symbols, isa};
  DebugTypes debug_types{types, kernel_types};
};

}  // namespace kinst::session
