// What one invocation stands on: this kernel and its processes, read when needed.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "isa/isa.h"
#include "kernel/function_reader.h"
#include "kernel/lazy_debug_information.h"
#include "kernel/lazy_symbols.h"
#include "provider/sdt.h"
#include "session/debug_types.h"
#include "types/kernel_types.h"
#include "types/type.h"
#include "user/process.h"

namespace kinst::session {

/// The kernel's code, which does not depend on the program that is compiled.
struct KernelCode {
  const isa::Isa& isa = isa::native();
  kernel::LazySymbols symbols;
  kernel::FunctionReader functions{isa};
};

/// Nothing in it is read before it is asked. It outlives everything compiled with it.
struct Ground {
  /// string_size_bytes: the option strsize. kernel_code: must outlive this.
  Ground(std::uint32_t string_size_bytes, KernelCode& kernel_code)
      : types(string_size_bytes), kernel_types(types), code(kernel_code) {}

  types::TypeTable types;
  types::KernelTypes kernel_types;
  KernelCode& code;
  kernel::LazySymbols& symbols = code.symbols;
  provider::StaticTracepoints tracepoints;
  user::Processes processes;
  const isa::Isa& isa = code.isa;
  /// Told of each function while the code of many is read, which it may stop.
  ProgressReport reading;
  kernel::LazyDebugInformation debug{symbols, isa};
  DebugTypes debug_types{types, kernel_types};
};

}  // namespace kinst::session
