// Making, copying and walking typed expressions.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "d/typed_program.h"

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

/// Whether the value can be beyond its type, as that of a signed calculation can.
bool may_exceed_type(const types::TypeTable& table, const Expression& expression);

/// The constant that the expression is; nothing if it is none.
const IntegerValue* as_integer(const Expression& expression);
bool is_zero(const Expression& expression);

}  // namespace kinst::d::typed
