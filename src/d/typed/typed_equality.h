// Whether two pieces of a checked program do the same.
#pragma once

#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d::typed {

/// The same nodes with the same contents, wherever they stand in the text. Types are
/// the same if they are compatible and have the same name.
bool is_same(const Expression& left, const Expression& right,
             const types::TypeTable& types);
/// The same predicate and statements, whatever the descriptions.
bool is_same(const Clause& left, const Clause& right, const types::TypeTable& types);

}  // namespace kinst::d::typed
