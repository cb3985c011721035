// How deep types stand within each other.
#pragma once

#include "types/type.h"

namespace kinst::d {

/// Whether more types stand within each other in the type than those may
/// recurse who walk through it: pointers, arrays, functions and members. What a
/// pointer to a struct or union points at is not part of the type, nor are
/// names. The parser limits what one declaration says; by way of typedefs and
/// members there is more.
bool is_nested_too_deeply(const types::TypeTable& table, types::TypeId type);

}  // namespace kinst::d
