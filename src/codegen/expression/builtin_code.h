// Generates D's built-in variables.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = the value at this hit of the built-in variable that `expression` is.
void generate_builtin(const d::typed::Expression& expression, const Scope& scope,
                      Emitter& out);

/// R0 = the probe's key (kinst_record_header::probe).
void generate_probe_key(Emitter& out);

}  // namespace kinst::codegen
