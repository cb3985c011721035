// What modules are called in other systems' scripts.
#pragma once

#include <string_view>

#include "kernel/symbols/symbol.h"

namespace kinst::kernel {

/// The kernel's own module by the name it has here: what FreeBSD ("kernel") and illumos
/// ("unix", "genunix") call it becomes kernel_module, any other name is itself.
constexpr std::string_view own_module_name(std::string_view module) {
  return module == "kernel" || module == "unix" || module == "genunix" ? kernel_module
                                                                       : module;
}

}  // namespace kinst::kernel
