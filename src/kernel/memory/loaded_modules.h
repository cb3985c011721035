// The kernel's list of the modules that are loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/memory/memory.h"
#include "kernel/memory/struct_layout.h"

namespace kinst::kernel {

/// The struct module of each, and how that is laid out.
struct LoadedModules {
  std::vector<KernelAddress> structs;
  /// Of struct module and struct mod_kallsyms; empty where no module is loaded.
  StructLayout layout;
  StructLayout symbols_layout;
};

/// list_head: the address of the kernel's symbol `modules`.
/// Errors: memory that cannot be read; modules, but no BTF to understand them with.
/// Source: kernel/module/main.c.
Result<LoadedModules> read_loaded_modules(const Memory& memory,
                                          KernelAddress list_head);

}  // namespace kinst::kernel
