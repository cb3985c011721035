// Speculations: a clause that records into one, and what becomes of it.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/typed_program.h"
#include "record/layout.h"

namespace kinst::codegen {

/// speculate(): what the clause records belongs to the speculation. The clause is over,
/// without a word, if there is no such speculation or it is full.
void generate_speculate(const d::typed::ActionCall& call, const Scope& scope,
                        Emitter& out);

/// commit() and discard(), once recorded: nothing more goes into the speculation. Fails
/// for numbers that no speculation has.
void generate_end_of_speculation(const record::Action& recorded, const Scope& scope,
                                 Emitter& out);

// A speculation's number may be given out again when the record that ends it is sent,
// not before: what comes behind that record belongs to the next. The numbers of those
// that the clause ends are in the record itself, 0 where it did not.

/// At the beginning of a clause.
void clear_ended_speculations(const record::Layout& layout, const Scope& scope,
                              Emitter& out);
/// When the record has been sent.
void free_ended_speculations(const record::Layout& layout, const Scope& scope,
                             Emitter& out);
/// When it will not be, as the clause has failed: they go on.
void resume_ended_speculations(const record::Layout& layout, const Scope& scope,
                               Emitter& out);

}  // namespace kinst::codegen
