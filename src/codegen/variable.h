// D's variables: reading, writing, and what else can stand left of `=`.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/typed_program.h"

namespace kinst::codegen {

/// R0 = the variable's value. A dynamic variable that does not exist is 0, or zeros.
void generate_variable(const d::typed::VariableValue& node, const Scope& scope,
                       Emitter& out);

/// R0 = the address of a variable (not of an associative array's element).
void generate_variable_address(d::typed::VariableId variable, const Scope& scope,
                               Emitter& out);

/// R0 = the value assigned.
void generate_assignment(const d::typed::Assign& node, const Scope& scope,
                         Emitter& out);

/// R0 = the old or the new value, as the node says.
void generate_increment(const d::typed::Increment& node, const Scope& scope,
                        Emitter& out);

}  // namespace kinst::codegen
