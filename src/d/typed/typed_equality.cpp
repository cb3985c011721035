#include "d/typed/typed_equality.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/overloaded.h"
#include "d/typed/typed_tree.h"

namespace kinst::d::typed {
namespace {

bool is_same_type(types::TypeId left, types::TypeId right,
                  const types::TypeTable& types) {
  return left == right || (types.is_compatible(left, right) &&
                           types.name_of(left) == types.name_of(right));
}

// What a node holds beside its operands.
bool has_same_contents(const IntegerValue& left, const IntegerValue& right) {
  return left.value == right.value;
}
bool has_same_contents(const StringValue& left, const StringValue& right) {
  return left.text == right.text;
}
bool has_same_contents(const BuiltinValue& left, const BuiltinValue& right) {
  return left.builtin == right.builtin;
}
bool has_same_contents(const VariableValue& left, const VariableValue& right) {
  return left.variable == right.variable;
}
bool has_same_contents(const Load& left, const Load& right) {
  const bool is_field = left.bit_field.has_value();
  return left.space == right.space && is_field == right.bit_field.has_value() &&
         (!is_field || (left.bit_field->offset_bits == right.bit_field->offset_bits &&
                        left.bit_field->width_bits == right.bit_field->width_bits));
}
bool has_same_contents(const VariableAddress& left, const VariableAddress& right) {
  return left.variable == right.variable;
}
bool has_same_contents(const LocalValue& left, const LocalValue& right) {
  return left.local == right.local;
}
bool has_same_contents(const Unary& left, const Unary& right) {
  return left.operation == right.operation;
}
bool has_same_contents(const Binary& left, const Binary& right) {
  return left.operation == right.operation;
}
bool has_same_contents(const Logical& left, const Logical& right) {
  return left.operation == right.operation;
}
bool has_same_contents(const Conditional& /*left*/, const Conditional& /*right*/) {
  return true;
}
bool has_same_contents(const Comma& /*left*/, const Comma& /*right*/) {
  return true;
}
bool has_same_contents(const Convert& /*left*/, const Convert& /*right*/) {
  return true;
}
bool has_same_contents(const Assign& left, const Assign& right) {
  return left.operation == right.operation;
}
bool has_same_contents(const Increment& left, const Increment& right) {
  return left.step == right.step && left.gives_old_value == right.gives_old_value;
}
bool has_same_contents(const SubroutineCall& left, const SubroutineCall& right) {
  return left.subroutine == right.subroutine;
}
bool has_same_contents(const SymbolicValue& left, const SymbolicValue& right) {
  return left.kind == right.kind && left.frames == right.frames &&
         left.string_bytes == right.string_bytes;
}
bool has_same_contents(const RecordValue& left, const RecordValue& right) {
  return std::ranges::equal(left.members, right.members, {},
                            &RecordValue::Member::offset, &RecordValue::Member::offset);
}

bool has_same_node(const Expression& left, const Expression& right) {
  return std::visit(
      [&](const auto& node) {
        const auto* other = std::get_if<std::decay_t<decltype(node)>>(&right.node);
        return other != nullptr && has_same_contents(node, *other);
      },
      left.node);
}

std::vector<const Expression*> operands_of(const Expression& expression) {
  std::vector<const Expression*> operands;
  for_each_operand(expression,
                   [&](const Expression& operand) { operands.push_back(&operand); });
  return operands;
}

bool is_same(const ExpressionPointer& left, const ExpressionPointer& right,
             const types::TypeTable& types) {
  if (left == nullptr || right == nullptr) {
    return left == right;
  }
  return typed::is_same(*left, *right, types);
}

bool is_same(const std::vector<ExpressionPointer>& left,
             const std::vector<ExpressionPointer>& right,
             const types::TypeTable& types) {
  return std::ranges::equal(
      left, right, [&](const ExpressionPointer& one, const ExpressionPointer& other) {
        return is_same(one, other, types);
      });
}

bool is_same(const std::vector<Statement>& left, const std::vector<Statement>& right,
             const types::TypeTable& types);

bool is_same(const Statement& left, const Statement& right,
             const types::TypeTable& types) {
  return std::visit(
      Overloaded{
          [&](const ExpressionStatement& one, const ExpressionStatement& other) {
            return is_same(one.expression, other.expression, types);
          },
          [&](const If& one, const If& other) {
            return is_same(one.condition, other.condition, types) &&
                   is_same(one.then_branch, other.then_branch, types) &&
                   is_same(one.else_branch, other.else_branch, types);
          },
          [&](const ActionCall& one, const ActionCall& other) {
            return one.action == other.action && one.format == other.format &&
                   one.aggregations == other.aggregations &&
                   is_same(one.arguments, other.arguments, types);
          },
          [&](const Aggregate& one, const Aggregate& other) {
            return one.aggregation == other.aggregation &&
                   is_same(one.keys, other.keys, types) &&
                   is_same(one.value, other.value, types) &&
                   is_same(one.weight, other.weight, types);
          },
          [](const auto&, const auto&) { return false; },
      },
      left.node, right.node);
}

bool is_same(const std::vector<Statement>& left, const std::vector<Statement>& right,
             const types::TypeTable& types) {
  return std::ranges::equal(left, right,
                            [&](const Statement& one, const Statement& other) {
                              return is_same(one, other, types);
                            });
}

}  // namespace

bool is_same(const Expression& left, const Expression& right,
             const types::TypeTable& types) {
  return is_same_type(left.type, right.type, types) && has_same_node(left, right) &&
         std::ranges::equal(operands_of(left), operands_of(right),
                            [&](const Expression* one, const Expression* other) {
                              return is_same(*one, *other, types);
                            });
}

bool is_same(const Clause& left, const Clause& right, const types::TypeTable& types) {
  return left.is_default == right.is_default &&
         is_same(left.predicate, right.predicate, types) &&
         is_same(left.statements, right.statements, types);
}

}  // namespace kinst::d::typed
