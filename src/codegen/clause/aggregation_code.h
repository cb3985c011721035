// Generates `@a[keys] = function(value)`.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// Updates this CPU's value of the aggregation. If there is no room for a new key, a
/// drop is counted.
void generate_aggregate(const d::typed::Aggregate& node, const Scope& scope,
                        Emitter& out);

}  // namespace kinst::codegen
