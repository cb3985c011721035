// Generates a clause: its predicate, its statements, its record, and what happens when
// it fails.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"

namespace kinst::codegen {

/// Holds the number of the failed clause while ERROR's clauses run, so that their code
/// knows where to continue.
inline constexpr Register failed_clause_register = Register::R9;

/// How a failed clause runs ERROR's clauses. Their code is in the same function, once
/// for all its clauses. A function of its own would use up one of the eight calls that
/// the kernel permits, and a stack frame.
struct ErrorExit {
  Label error_clauses{};  ///< where ERROR's clauses begin
  std::int32_t number{};  ///< for failed_clause_register
  Label resumed{};  ///< where the program continues after them; bound by the clause
};

/// Whether the clauses of this probe run after exit() was called. END's do, and so do
/// ERROR's, because a clause of END may fail.
bool runs_after_exit(const Scope& scope);
/// Jumps to `over` if exit() was called: no further clause runs then, as in DTrace;
/// this includes BEGIN's.
void leave_if_exiting(const Scope& scope, Label over, Emitter& out);

/// Generates scope.clause, from its predicate on. A fault ends the clause: the fault is
/// recorded, and ERROR's clauses run.
/// errors: null if there are no clauses of ERROR.
void generate_clause(const Scope& scope, const ErrorExit* errors, Emitter& out);

}  // namespace kinst::codegen
