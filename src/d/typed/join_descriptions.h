// Joins the probe descriptions of one clause for which the checker made the same code.
#pragma once

#include <cstddef>
#include <vector>

#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// A clause of the text has become one clause for each of its descriptions. Joins two
/// of them if their code is the same and no probe matches both descriptions: such a
/// probe would fire once instead of twice.
/// probes_of_description: for each description, by its number, the probes that it
/// matches, ascending. If a clause is removed, the probes of its description move to
/// the description of the clause that remains.
void join_descriptions(typed::Program& program, const types::TypeTable& types,
                       std::vector<std::vector<std::size_t>>& probes_of_description);

}  // namespace kinst::d
