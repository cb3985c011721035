// Generates D's subroutines. Most are calls of the runtime.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = the subroutine's result: a number or an address.
void generate_subroutine(const d::typed::SubroutineCall& call,
                         const d::typed::Expression& expression, const Scope& scope,
                         Emitter& out);

}  // namespace kinst::codegen
