// The system that one invocation works on: this kernel and its processes. Everything is
// read when it is first needed.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "compile/match/debug_types.h"
#include "isa/isa.h"
#include "kernel/code/function_reader.h"
#include "kernel/debug/lazy_debug_information.h"
#include "kernel/symbols/lazy_symbols.h"
#include "provider/sdt.h"
#include "types/kernel_types.h"
#include "types/type.h"
#include "user/process.h"

namespace kinst::compile {

/// What is read of the kernel's code. It does not depend on the program that is
/// compiled, so several compilations can share it.
struct KernelCode {
  const isa::Isa& isa = isa::native();
  kernel::LazySymbols symbols;
  kernel::FunctionReader functions{isa};
};

/// What compilation and tracing know about this system. Nothing is read before it is
/// asked for. Must outlive everything that is compiled with it.
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
  /// Called for each function while the code of many functions is read; may stop the
  /// reading.
  ProgressReport reading;
  kernel::LazyDebugInformation debug{symbols, isa};
  DebugTypes debug_types{types, kernel_types};
};

}  // namespace kinst::compile
