// Generates D's actions: what a clause writes into its record or does at once.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/typed_program.h"
#include "record/layout.h"

namespace kinst::codegen {

/// Generates one action.
/// recorded: the action's place in the clause's record; null if it has none. exit(),
/// commit() and discard() have one.
void generate_action(const d::typed::ActionCall& call, const record::Action* recorded,
                     const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
