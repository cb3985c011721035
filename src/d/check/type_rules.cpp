// The rules are K&R's appendix A with D's strings added.
#include "d/check/type_rules.h"

#include <variant>

namespace kinst::d {

using types::TypeId;
using types::TypeTable;

namespace {

bool is_character(const TypeTable& table, TypeId type) {
  const auto* integer = std::get_if<types::Integer>(&table.resolved(type));
  // BTF does not say which 1-byte integers are characters, DTrace's `int8_t` is one.
  return integer != nullptr && integer->size_bytes == 1 && !integer->is_boolean;
}

}  // namespace

bool is_void(const TypeTable& table, TypeId type) {
  return std::holds_alternative<types::Void>(table.resolved(type));
}

bool is_scalar(const TypeTable& table, TypeId type) {
  return table.is_integer(type) || table.is_pointer(type);
}

bool is_record(const TypeTable& table, TypeId type) {
  return std::holds_alternative<types::Record>(table.resolved(type));
}

bool is_array(const TypeTable& table, TypeId type) {
  return std::holds_alternative<types::Array>(table.resolved(type));
}

bool is_function(const TypeTable& table, TypeId type) {
  return std::holds_alternative<types::Function>(table.resolved(type));
}

bool is_pointer_like(const TypeTable& table, TypeId type) {
  return table.is_pointer(type) || is_array(table, type);
}

bool is_void_or_function_pointer(const TypeTable& table, TypeId type) {
  const auto* pointer = std::get_if<types::Pointer>(&table.resolved(type));
  return pointer != nullptr &&
         (is_void(table, pointer->target) || is_function(table, pointer->target));
}

bool is_string_compatible(const TypeTable& table, TypeId type) {
  if (table.is_string(type)) {
    return true;
  }
  const auto target = target_of(table, type);
  return target && is_character(table, *target);
}

std::optional<TypeId> target_of(const TypeTable& table, TypeId type) {
  const types::Type& resolved = table.resolved(type);
  if (const auto* pointer = std::get_if<types::Pointer>(&resolved)) {
    return pointer->target;
  }
  if (const auto* array = std::get_if<types::Array>(&resolved)) {
    return array->element;
  }
  if (std::holds_alternative<types::String>(resolved)) {
    return table.char_type();
  }
  return std::nullopt;
}

types::AddressSpace space_of(const TypeTable& table, TypeId type) {
  const auto* pointer = std::get_if<types::Pointer>(&table.resolved(type));
  return pointer != nullptr ? pointer->space : types::AddressSpace::Kernel;
}

TypeId promoted(const TypeTable& table, TypeId type) {
  const TypeId integer = table.int_type();
  const bool is_small =
      table.size_of(type).value_or(0) < table.size_of(integer).value_or(0);
  return is_small || std::holds_alternative<types::Enum>(table.resolved(type)) ? integer
                                                                               : type;
}

TypeId usual_conversion(const TypeTable& table, TypeId left, TypeId right) {
  const auto rank = [&](TypeId type) {
    return 2 * table.size_of(type).value_or(0) + (table.is_signed(type) ? 0 : 1);
  };
  left = promoted(table, left);
  right = promoted(table, right);
  return rank(left) >= rank(right) ? left : right;
}

std::optional<TypeId> common_pointer(const TypeTable& table, OperandType left,
                                     OperandType right) {
  const bool left_is_integer = table.is_integer(left.type);
  const bool right_is_integer = table.is_integer(right.type);
  if ((left_is_integer && !left.is_zero) || (right_is_integer && !right.is_zero)) {
    return std::nullopt;
  }
  const auto left_target = target_of(table, left.type);
  const auto right_target = target_of(table, right.type);
  if (left_is_integer) {
    return right_target ? std::optional(right.type) : std::nullopt;
  }
  if (right_is_integer) {
    return left_target ? std::optional(left.type) : std::nullopt;
  }
  if (!left_target || !right_target ||
      space_of(table, left.type) != space_of(table, right.type)) {
    return std::nullopt;
  }
  if (is_void(table, *right_target)) {
    return left.type;
  }
  if (is_void(table, *left_target) ||
      table.is_compatible(*left_target, *right_target)) {
    return right.type;
  }
  return std::nullopt;
}

bool is_assignable(const TypeTable& table, TypeId parameter, OperandType argument) {
  if (table.is_integer(parameter) && table.is_integer(argument.type)) {
    return true;
  }
  if (is_string_compatible(table, parameter) &&
      is_string_compatible(table, argument.type)) {
    return true;
  }
  if (is_record(table, parameter) || is_function(table, parameter)) {
    return table.is_compatible(parameter, argument.type);
  }
  if (std::holds_alternative<types::Float>(table.resolved(parameter))) {
    return table.is_compatible(parameter, argument.type);
  }
  return common_pointer(table, {parameter}, argument).has_value();
}

std::uint64_t cut(const TypeTable& table, TypeId type, std::uint64_t value) {
  const std::uint64_t size_bytes = table.size_of(type).value_or(8);
  if (size_bytes >= 8 || size_bytes == 0) {
    return value;
  }
  const auto unused_bits = static_cast<unsigned>(64 - 8 * size_bytes);
  const std::uint64_t high = value << unused_bits;
  return table.is_signed(type) ? static_cast<std::uint64_t>(
                                     static_cast<std::int64_t>(high) >> unused_bits)
                               : high >> unused_bits;
}

std::uint64_t cut_result(const TypeTable& table, TypeId type, std::uint64_t value) {
  return table.is_signed(type) ? value : cut(table, type, value);
}

}  // namespace kinst::d
