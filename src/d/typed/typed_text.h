// A typed program as text, for people and for tests.
#pragma once

#include <string>

#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// An expression on one line, each node with its type where a conversion or a load
/// decides it: "(int64_t)arg0", "*(int *)(p + 8)".
std::string to_text(const typed::Expression& expression, const typed::Program& program,
                    const types::TypeTable& table);

/// Variables, aggregations and clauses, one statement on a line.
std::string to_text(const typed::Program& program, const types::TypeTable& table);

}  // namespace kinst::d
