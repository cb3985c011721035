// Making, copying and walking typed expressions.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "d/typed/typed_program.h"

namespace kinst::d::typed {

template <typename Node>
ExpressionPointer make(types::TypeId type, Span span, Node node) {
  return std::make_unique<Expression>(
      Expression{.type = type, .span = span, .node = std::move(node)});
}

ExpressionPointer clone(const Expression& expression);

/// How many nodes the expression has.
std::uint64_t count(const Expression& expression);

/// Calls `visit` for each direct operand.
void for_each_operand(const Expression& expression,
                      const std::function<void(const Expression&)>& visit);

/// ==, <, and their kind, which give 0 or 1.
bool is_comparison(BinaryOperator operation);

/// Whether the value can exceed its type, as the result of a signed calculation can.
bool may_exceed_type(const types::TypeTable& table, const Expression& expression);

/// Whether it is read from a bit-field, whose width is not that of its type.
bool is_bit_field(const Expression& expression);

/// Calculations with types smaller than int give an int, as in C, but are recorded and
/// named by the type that DTrace gives them (dt_type_promote promotes nothing): a
/// Convert to that type, straight around the calculation, stands for it.
/// Gives the calculation where `value` is such a Convert, else `value`.
ExpressionPointer calculated(const types::TypeTable& table, ExpressionPointer value);
bool is_named_by_smaller_type(const types::TypeTable& table, const Expression& value);

/// The expression's value if it is an integer constant; null otherwise.
const IntegerValue* as_integer(const Expression& expression);
bool is_zero(const Expression& expression);

}  // namespace kinst::d::typed
