// Generates D's actions: what a clause writes into its record or does at once.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"
#include "record/layout.h"

namespace kinst::codegen {

/// Generates one action.
/// recorded: the action's place in the clause's record; null if it has none. exit(),
/// commit() and discard() have one.
void generate_action(const d::typed::ActionCall& call, const record::Action* recorded,
                     const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
