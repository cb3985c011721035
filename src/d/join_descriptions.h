// Probe descriptions of one clause that mean the same code are one clause.
#pragma once

#include <cstddef>
#include <vector>

#include "d/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// Joins the clauses that one clause of the text has become, one for each of its
/// descriptions, where their code is the same and no probe is meant by both: such a
/// probe would fire once instead of twice.
/// probes_of_description: by the number of a description, which probes it means,
/// ascending. Those of a description whose clause goes move to that of the clause that
/// stays.
void join_descriptions(typed::Program& program, const types::TypeTable& types,
                       std::vector<std::vector<std::size_t>>& probes_of_description);

}  // namespace kinst::d
