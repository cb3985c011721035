// The instruction at a probe, as the built-in variables insn and mnemonic show it.
#pragma once

#include <string>

#include "isa/isa.h"
#include "kernel/symbols/lazy_symbols.h"
#include "provider/probe.h"
#include "record/layout.h"

namespace kinst::compile {

/// The text for Meaning::Instruction or Meaning::Mnemonic. Empty for another meaning,
/// or if the probe is not at an instruction.
std::string instruction_text(const provider::Probe& probe, record::Meaning what,
                             const isa::Isa& isa, kernel::LazySymbols& symbols);

}  // namespace kinst::compile
