// A clause: its predicate, its statements, its record, and what happens when it fails.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"

namespace kinst::codegen {

/// Tells the code of ERROR's clauses which clause has failed, so where to go on.
inline constexpr Register failed_clause_register = Register::R9;

/// How a clause that fails runs ERROR's clauses. They are part of the same function,
/// once for all its clauses: as a function of their own they would take a call of the
/// eight that the kernel permits, and a stack of their own.
struct ErrorExit {
  Label error_clauses{};  ///< where they begin
  std::int32_t number{};  ///< for failed_clause_register
  Label resumed{};        ///< where they go on for that number; bound by the clause
};

/// Whether the clauses of the probe run although exit() was called: END's do, and those
/// of ERROR, which may be called by one of them.
bool runs_after_exit(const Scope& scope);
/// Goes to `over` if exit() was called: DTrace then runs no further clause, of BEGIN
/// neither.
void leave_if_exiting(const Scope& scope, Label over, Emitter& out);

/// The code of scope.clause, from its predicate on. A fault ends it: the fault is
/// recorded and ERROR's clauses run; null where there are none.
void generate_clause(const Scope& scope, const ErrorExit* errors, Emitter& out);

}  // namespace kinst::codegen
