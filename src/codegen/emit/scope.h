// What all parts of code generation read; nothing in it changes while a function is
// generated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codegen/plan/plan.h"
#include "codegen/plan/platform.h"
#include "codegen/plan/storage.h"
#include "d/typed/typed_program.h"
#include "kernel/debug/debug_information.h"
#include "provider/probe.h"
#include "types/type.h"

namespace kinst::codegen {

/// The context of the clause being generated: the checked program, its types and
/// places, the machine, and the group of probes that the function serves.
struct Scope {
  const d::typed::Program& program;
  const types::TypeTable& types;
  const Storage& storage;
  const Platform& platform;
  ContextKind context{};
  /// The probes that the function serves; for ERROR's clauses, ERROR itself.
  std::span<const provider::Probe* const> served;
  /// The probe, if the function serves only one; otherwise null.
  const provider::Probe* only_probe = nullptr;
  /// The places of the traced code's local variables, by LocalId.
  std::span<const kernel::VariableLocation> locals;
  /// The type of the result, which is arg1 at a return.
  ResultType result;
  /// As in ProgramGroup.
  bool has_results = true;
  /// The number of the clause being generated.
  std::uint32_t clause = 0;
  /// Whether it is a clause of ERROR, run after another clause has failed.
  bool is_error_clause = false;
};

}  // namespace kinst::codegen
