// What the instruction at a kinst probe is about to do: its memory operand and its
// branch, computed from the registers before it executes.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/builtin.h"
#include "d/typed_program.h"

namespace kinst::codegen {

/// Whether the built-in depends on the decoded instruction, so that a program that
/// computes it serves one instruction only.
bool is_operand_fact(d::Builtin builtin);

/// Whether a clause uses one.
bool uses_operands(const d::typed::Clause& clause);

/// R0 = the fact of scope.only_probe's instruction: 0 where it has no such operand. A
/// memory operand that cannot be read fails the clause.
void generate_operand_fact(d::Builtin builtin, const Span& span, const Scope& scope,
                           Emitter& out);

}  // namespace kinst::codegen
