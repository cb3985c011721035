// The system that one invocation works on: this kernel and its processes. Everything is
// read when it is first needed.
#pragma once

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
struct System {
  /// kernel_code: must outlive this.
  explicit System(KernelCode& kernel_code) : code(kernel_code) {}

  types::TypeTable types;
  types::KernelTypes kernel_types{types};
  KernelCode& code;
  provider::StaticTracepoints tracepoints;
  user::Processes processes;
  kernel::LazyDebugInformation debug{code.symbols, code.isa};
  DebugTypes debug_types{types, kernel_types};
};

}  // namespace kinst::compile
