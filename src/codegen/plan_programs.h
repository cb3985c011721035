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
#include "provider/probe.h"

namespace kinst::codegen {

/// Makes the plan. Groups are in the order of their first probe.
/// matches[d]: the probes of description d (typed::Clause::description), as indexes of
/// `probes`; each at most once, ascending.
/// locals: the places of all local variables that clauses use, at each of their probes.
/// results: for the probes whose clauses use arg1.
Plan plan_programs(const d::typed::Program& program,
                   std::span<const provider::Probe> probes,
                   std::span<const std::vector<std::size_t>> matches,
                   const LocalPlaces& locals = {}, const ResultTypes& results = {});

/// The plan as `-e -v` prints it, a line for each group.
std::string to_text(const Plan& plan, std::span<const provider::Probe> probes);

}  // namespace kinst::codegen
