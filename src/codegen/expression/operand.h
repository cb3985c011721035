// What the instruction at a kinst probe is about to do: its memory operand and its
// branch, computed from the registers as they are before it executes.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/tables/builtin.h"
#include "isa/instruction.h"

namespace kinst::codegen {

/// R0 = the register at the probe; 0 for RegisterId::None and for registers that are
/// not saved.
void load_register_id(isa::RegisterId id, const Scope& scope, Emitter& out);

/// R0 = the fact about the instruction at the probe that fired; 0 if the instruction
/// has no such operand. The clause fails if a memory operand cannot be read. The
/// instructions of all probes in scope.served have the same shape.
void generate_operand_fact(d::Builtin builtin, const Span& span, const Scope& scope,
                           Emitter& out);

}  // namespace kinst::codegen
