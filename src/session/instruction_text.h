// The instruction at a probe, as a built-in variable gives it.
#pragma once

#include <string>

#include "isa/isa.h"
#include "kernel/lazy_symbols.h"
#include "provider/probe.h"
#include "record/layout.h"

namespace kinst::session {

/// What the instruction at a probe is, for Meaning::Instruction and Mnemonic; empty for
/// another meaning, and where the probe is at no instruction.
std::string instruction_text(const provider::Probe& probe, record::Meaning what,
                             const isa::Isa& isa, kernel::LazySymbols& symbols);

}  // namespace kinst::session
