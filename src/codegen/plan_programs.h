// Groups probes into programs. Probes share a program if they run the same clauses in
// the same kind of context and, where clauses compute from the instruction's operands,
// if their operands have the same shape.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/operand_shape.h"
#include "codegen/plan/plan.h"
#include "d/typed/typed_program.h"
#include "provider/tracing.h"

namespace kinst::codegen {

/// The probes that a program enables.
struct EnabledProbes {
  std::span<const provider::Probe> probes;
  std::span<const provider::TracingMethod> tracing;  ///< how each of them is traced
  /// The probes of description d (typed::Clause::description), as indexes of `probes`;
  /// each at most once, ascending.
  std::span<const std::vector<std::size_t>> of_description;
};

/// What code must know of the functions that it is run in.
struct CodeFacts {
  /// The places of all local variables that clauses use, at each of their probes.
  LocalPlaces locals;
  /// For the probes whose clauses use arg1.
  ResultTypes results;
};

/// Makes the plan. Groups are in the order of their first probe.
Plan plan_programs(const d::typed::Program& program, const EnabledProbes& enabled,
                   const CodeFacts& facts = {});

/// The plan as `-e -v` prints it, a line for each group.
std::string to_text(const Plan& plan, std::span<const provider::Probe> probes);

}  // namespace kinst::codegen
