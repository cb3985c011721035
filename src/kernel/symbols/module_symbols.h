// The symbols of the modules that are loaded, from the tables that the kernel keeps of
// each.
#pragma once

#include "base/address.h"
#include "base/result.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbol_list.h"

namespace kinst::kernel {

/// list_head: the address of the kernel's symbol `modules`. What the kernel compiled at
/// run time ("bpf", "__builtin__ftrace") belongs to no module and is not among them.
/// Errors: memory that cannot be read; modules, but no BTF to understand them with.
/// Source: kernel/module/kallsyms.c, module_get_kallsym.
Result<SymbolList> read_module_symbols(const Memory& memory, KernelAddress list_head);

}  // namespace kinst::kernel
