// How deep types stand within each other.
#pragma once

#include "types/type.h"

namespace kinst::d {

/// Whether the type nests pointers, arrays, functions and members deeper than code that
/// walks through types may recurse. The struct or union that a pointer points to does
/// not count, nor do names. The parser limits the depth of one declaration; typedefs
/// and members can add to it.
bool is_nested_too_deeply(const types::TypeTable& table, types::TypeId type);

}  // namespace kinst::d
