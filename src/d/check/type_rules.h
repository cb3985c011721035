// D's rules about types alone: which convert to which, and what comes out.
#pragma once

#include <cstdint>
#include <optional>

#include "types/type.h"

namespace kinst::d {

bool is_void(const types::TypeTable& table, types::TypeId type);
/// Integers, enums and pointers: what has a truth value.
bool is_scalar(const types::TypeTable& table, types::TypeId type);
bool is_record(const types::TypeTable& table, types::TypeId type);
bool is_array(const types::TypeTable& table, types::TypeId type);
bool is_function(const types::TypeTable& table, types::TypeId type);
/// Pointers and arrays, but not strings.
bool is_pointer_like(const types::TypeTable& table, types::TypeId type);
/// Pointers to void or to functions, for which there is no pointer arithmetic.
bool is_void_or_function_pointer(const types::TypeTable& table, types::TypeId type);
/// What can be taken for a string: string, char *, char [N].
bool is_string_compatible(const types::TypeTable& table, types::TypeId type);
/// The type that a pointer points to, or the element type of an array or a string.
std::optional<types::TypeId> target_of(const types::TypeTable& table,
                                       types::TypeId type);
/// The address space of a pointer; the kernel's for all else.
types::AddressSpace space_of(const types::TypeTable& table, types::TypeId type);

/// The type in which D computes with an integer: int for smaller types and for enums
/// (C11 6.3.1.1; for enums, DTrace's dt_type_promote).
types::TypeId promoted(const types::TypeTable& table, types::TypeId type);
/// The type in which an operation on two integers is done: both are promoted, then the
/// wider type wins, of equal widths the unsigned one (C11 6.3.1.8).
types::TypeId usual_conversion(const types::TypeTable& table, types::TypeId left,
                               types::TypeId right);

/// A value's type, and whether it is the constant 0, which is a null pointer too.
struct OperandType {
  types::TypeId type{};
  bool is_zero = false;
};

/// The common type if one operand is a pointer or array and the other is compatible
/// with it: a pointer to the same type, a pointer to void, or 0. Nothing for other
/// operands.
std::optional<types::TypeId> common_pointer(const types::TypeTable& table,
                                            OperandType left, OperandType right);

/// Whether `argument` may be passed to or assigned to `parameter`.
bool is_assignable(const types::TypeTable& table, types::TypeId parameter,
                   OperandType argument);

/// `value` cut to the type's size and extended by its sign.
std::uint64_t cut(const types::TypeTable& table, types::TypeId type,
                  std::uint64_t value);

/// The result of an operation of type `type` that was computed in 64 bits. An unsigned
/// result is cut to its type, as in C. C leaves undefined what exceeds a signed type;
/// all its bits stay, as in DTrace, until the value is stored, cast, or used as a key.
std::uint64_t cut_result(const types::TypeTable& table, types::TypeId type,
                         std::uint64_t value);

}  // namespace kinst::d
