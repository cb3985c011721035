// A type as the source that declares it has it, with where each member is.
#pragma once

#include <string>

#include "types/type.h"

namespace kinst::types {

/// A declaration of `name` as C writes it: "char comm[16]", "int (*open)(void)"; the
/// type alone if the name is empty. What stands for an untagged struct, union or enum
/// is "struct (anonymous)".
std::string declaration_of(const TypeTable& table, TypeId id, const std::string& name);

/// A type's definition, each line ended by '\n': a struct's or union's members, each
/// with its offset and size in bytes (as offset:bit and number of bits for bit-fields),
/// those of untagged ones within it; an enum's enumerators; what a typedef stands for.
/// Other types are their name and size.
std::string definition_of(const TypeTable& table, TypeId id);

}  // namespace kinst::types
