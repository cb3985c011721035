// What every part of code generation reads, none of it changing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codegen/plan.h"
#include "codegen/platform.h"
#include "codegen/storage.h"
#include "d/typed_program.h"
#include "kernel/debug_information.h"
#include "provider/probe.h"
#include "types/type.h"

namespace kinst::codegen {

/// The clause's surroundings: the checked program, its types and places, the machine,
/// and the group of probes that the function is for.
struct Scope {
  const d::typed::Program& program;
  const types::TypeTable& types;
  const Storage& storage;
  const Platform& platform;
  ContextKind context{};
  /// The probes the function is for; for ERROR's clauses ERROR itself.
  std::span<const provider::Probe* const> served;
  /// The one probe, where no other can be meant; else null.
  const provider::Probe* only_probe = nullptr;
  /// Where local variables of the traced code are, by LocalId.
  std::span<const kernel::VariableLocation> locals;
  /// What arg1 is, where functions return.
  ResultType result;
  /// The clause being generated, by number.
  std::uint32_t clause = 0;
  /// It is a clause of ERROR, run where another failed.
  bool is_error_clause = false;
};

}  // namespace kinst::codegen
