// Names of what an instruction refers to.
#pragma once

#include <string>

#include "base/address.h"
#include "isa/isa.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// For an address in the padding before a function, the function's address; any other
/// address unchanged. With call depth tracking, the kernel puts code into that padding
/// and redirects direct calls to it: arch/x86/kernel/callthunks.c.
KernelAddress behind_prefix(const Symbols& symbols, KernelAddress address);

/// symbol_text() of a place that `instruction` refers to. Of a retpoline's names, which
/// are several, the one that tells the register: "__x86_indirect_thunk_rax".
std::string reference_text(const isa::Instruction& instruction, KernelAddress address,
                           const Symbols& symbols, const isa::Isa& isa);

}  // namespace kinst::kernel
