// What the instruction at a kinst probe is about to do: its memory operand and its
// branch, computed from the registers before it executes.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/builtin.h"
#include "isa/instruction.h"

namespace kinst::codegen {

/// R0 = the register at the probe; 0 for None and for those that are not saved.
void load_register_id(isa::RegisterId id, const Scope& scope, Emitter& out);

/// R0 = the fact of the instruction at the probe that fired, one of scope.served, all
/// of which have one shape: 0 where it has no such operand. A memory operand that
/// cannot be read fails the clause.
void generate_operand_fact(d::Builtin builtin, const Span& span, const Scope& scope,
                           Emitter& out);

}  // namespace kinst::codegen
