// A clause: its predicate, its statements, its record, and what happens when it fails.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"

namespace kinst::codegen {

/// The subprogram that runs the clauses of ERROR, called with the context in R1 and
/// this CPU's state in R2; only where there are such clauses.
inline constexpr const char* error_function_name = "error_clauses";

enum class ErrorClauses : std::uint8_t { None, Call, CallAndMayExit };

/// The code of scope.clause, from its predicate on. A fault ends it: the fault is
/// recorded and, if wanted, ERROR's clauses run.
void generate_clause(const Scope& scope, ErrorClauses errors, Emitter& out);

}  // namespace kinst::codegen
