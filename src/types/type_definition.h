// Writes a type's definition as C source, with the offset of each member.
#pragma once

#include <string>

#include "types/type.h"

namespace kinst::types {

/// A declaration of `name` as C writes it: "char comm[16]", "int (*open)(void)"; the
/// type alone if the name is empty. An untagged struct, union or enum is written as
/// "struct (anonymous)".
std::string declaration_of(const TypeTable& table, TypeId id, const std::string& name);

/// A type's definition, each line ended by '\n': a struct's or union's members, each
/// with its offset and size in bytes (as offset:bit and number of bits for bit-fields),
/// those of untagged ones within it; an enum's enumerators; what a typedef stands for.
/// Other types are their name and size.
std::string definition_of(const TypeTable& table, TypeId id);

}  // namespace kinst::types
