// Generates reads of D's variables, and assignments to anything that can be left of
// `=`.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = the variable's value. A dynamic variable that does not exist reads as 0, or as
/// zeros.
void generate_variable(const d::typed::VariableValue& node, const Scope& scope,
                       Emitter& out);

/// R0 = the address of a variable (not of an associative array's element).
void generate_variable_address(d::typed::VariableId variable, const Scope& scope,
                               Emitter& out);

/// R0 = the assigned value.
void generate_assignment(const d::typed::Assign& node, const Scope& scope,
                         Emitter& out);

/// R0 = the value before or after the increment, as the node says.
void generate_increment(const d::typed::Increment& node, const Scope& scope,
                        Emitter& out);

}  // namespace kinst::codegen
