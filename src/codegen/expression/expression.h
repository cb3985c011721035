// Generates D expressions.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = the expression's value: 64 bits, extended as its type says. For values carried
/// by reference (typed_program.h), their address.
void generate_value(const d::typed::Expression& expression, const Scope& scope,
                    Emitter& out);

/// Jumps to `otherwise` if the expression is 0.
void generate_condition(const d::typed::Expression& expression, const Scope& scope,
                        Emitter& out, Label otherwise);

/// R0 = left OP right, for operands of one type. left in R1, right in R2.
void generate_operation(d::typed::BinaryOperator operation, types::TypeId type,
                        const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
