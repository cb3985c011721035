// Local variables of the traced code.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = the variable's value at the probe, read from registers and memory. For a type
/// carried by reference, its address.
void generate_local(const d::typed::LocalValue& node,
                    const d::typed::Expression& expression, const Scope& scope,
                    Emitter& out);

}  // namespace kinst::codegen
