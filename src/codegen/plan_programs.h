// The probes that run the same clauses in the same kind of context share one program;
// where clauses compute from the instruction's operands, the probes whose operands have
// the same shape.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codegen/operand_shape.h"
#include "codegen/plan.h"
#include "d/typed_program.h"
#include "provider/probe.h"

namespace kinst::codegen {

/// matches[d]: indexes into `probes` of what description d means (typed::Clause::
/// description), each at most once, ascending.
/// locals: for every local variable that a clause uses, at each of its probes.
/// results: for probes whose clauses use arg1.
/// Groups come in the order of their first probe.
Plan plan_programs(const d::typed::Program& program,
                   std::span<const provider::Probe> probes,
                   std::span<const std::vector<std::size_t>> matches,
                   const LocalPlaces& locals = {}, const ResultTypes& results = {});

/// The plan as `-e -v` prints it, a line for each group.
std::string to_text(const Plan& plan, std::span<const provider::Probe> probes);

}  // namespace kinst::codegen
