// Speculations: recording into one, and ending it.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"
#include "record/layout.h"

namespace kinst::codegen {

/// speculate(): from here on, the clause records into the speculation. The clause ends
/// silently if there is no such speculation or if it is full.
void generate_speculate(const d::typed::ActionCall& call, const Scope& scope,
                        Emitter& out);

/// commit() and discard(), after they are recorded: nothing more can be recorded into
/// the speculation. The clause fails if the number is no speculation's.
void generate_end_of_speculation(const record::Action& recorded, const Scope& scope,
                                 Emitter& out);

// A speculation's number must not be given out again before the record that ends the
// speculation is sent, because whatever follows that record belongs to the next
// speculation of this number. The numbers that the clause ends are in the record
// itself; they are 0 where it does not end one.

/// To be called at the beginning of a clause.
void clear_ended_speculations(const record::Layout& layout, const Scope& scope,
                              Emitter& out);
/// To be called when the record has been sent.
void free_ended_speculations(const record::Layout& layout, const Scope& scope,
                             Emitter& out);
/// To be called if the record is not sent, because the clause has failed: the
/// speculations continue.
void resume_ended_speculations(const record::Layout& layout, const Scope& scope,
                               Emitter& out);

}  // namespace kinst::codegen
