#include "d/typed/typed_tree.h"

#include "base/overloaded.h"

namespace kinst::d::typed {
namespace {

ExpressionPointer copy(const ExpressionPointer& expression) {
  return expression == nullptr ? nullptr : clone(*expression);
}

std::vector<ExpressionPointer> copy(const std::vector<ExpressionPointer>& expressions) {
  std::vector<ExpressionPointer> copies;
  copies.reserve(expressions.size());
  for (const ExpressionPointer& expression : expressions) {
    copies.push_back(copy(expression));
  }
  return copies;
}

using Node = decltype(Expression::node);

Node copy_node(const Node& node) {
  return std::visit(
      Overloaded{
          [](const IntegerValue& n) -> Node { return n; },
          [](const StringValue& n) -> Node { return n; },
          [](const VariableAddress& n) -> Node { return n; },
          [](const LocalValue& n) -> Node { return n; },
          [](const BuiltinValue& n) -> Node {
            return BuiltinValue{n.builtin, copy(n.index)};
          },
          [](const VariableValue& n) -> Node {
            return VariableValue{n.variable, copy(n.keys)};
          },
          [](const Load& n) -> Node {
            return Load{copy(n.address), n.space, n.bit_field};
          },
          [](const Unary& n) -> Node {
            return Unary{n.operation, copy(n.operand)};
          },
          [](const Binary& n) -> Node {
            return Binary{n.operation, copy(n.left), copy(n.right)};
          },
          [](const Logical& n) -> Node {
            return Logical{n.operation, copy(n.left), copy(n.right)};
          },
          [](const Conditional& n) -> Node {
            return Conditional{copy(n.condition), copy(n.then_value),
                               copy(n.else_value)};
          },
          [](const Comma& n) -> Node {
            return Comma{copy(n.left), copy(n.right)};
          },
          [](const Convert& n) -> Node { return Convert{copy(n.operand)}; },
          [](const Assign& n) -> Node {
            return Assign{copy(n.target), copy(n.value), n.operation};
          },
          [](const Increment& n) -> Node {
            return Increment{copy(n.target), n.step, n.gives_old_value};
          },
          [](const SubroutineCall& n) -> Node {
            return SubroutineCall{n.subroutine, copy(n.arguments)};
          },
          [](const SymbolicValue& n) -> Node {
            return SymbolicValue{n.kind, copy(n.address), n.frames, n.string_bytes};
          },
          [](const RecordValue& n) -> Node {
            RecordValue copied;
            for (const RecordValue::Member& member : n.members) {
              copied.members.push_back({member.offset, copy(member.value)});
            }
            return copied;
          },
      },
      node);
}

using Visit = std::function<void(const Expression&)>;

void visit_some(const Visit& visit, std::initializer_list<const Expression*> operands) {
  for (const Expression* operand : operands) {
    if (operand != nullptr) {
      visit(*operand);
    }
  }
}

void visit_all(const Visit& visit, const std::vector<ExpressionPointer>& operands) {
  for (const ExpressionPointer& operand : operands) {
    visit(*operand);
  }
}

}  // namespace

ExpressionPointer clone(const Expression& expression) {
  return std::make_unique<Expression>(Expression{.type = expression.type,
                                                 .span = expression.span,
                                                 .node = copy_node(expression.node)});
}

void for_each_operand(const Expression& expression, const Visit& visit) {
  std::visit(Overloaded{
                 [](const IntegerValue&) {},
                 [](const StringValue&) {},
                 [](const VariableAddress&) {},
                 [](const LocalValue&) {},
                 [&](const BuiltinValue& n) { visit_some(visit, {n.index.get()}); },
                 [&](const VariableValue& n) { visit_all(visit, n.keys); },
                 [&](const Load& n) { visit_some(visit, {n.address.get()}); },
                 [&](const Unary& n) { visit_some(visit, {n.operand.get()}); },
                 [&](const Binary& n) {
                   visit_some(visit, {n.left.get(), n.right.get()});
                 },
                 [&](const Logical& n) {
                   visit_some(visit, {n.left.get(), n.right.get()});
                 },
                 [&](const Conditional& n) {
                   visit_some(visit, {n.condition.get(), n.then_value.get(),
                                      n.else_value.get()});
                 },
                 [&](const Comma& n) {
                   visit_some(visit, {n.left.get(), n.right.get()});
                 },
                 [&](const Convert& n) { visit_some(visit, {n.operand.get()}); },
                 [&](const Assign& n) {
                   visit_some(visit, {n.target.get(), n.value.get()});
                 },
                 [&](const Increment& n) { visit_some(visit, {n.target.get()}); },
                 [&](const SubroutineCall& n) { visit_all(visit, n.arguments); },
                 [&](const SymbolicValue& n) { visit_some(visit, {n.address.get()}); },
                 [&](const RecordValue& n) {
                   for (const RecordValue::Member& member : n.members) {
                     visit(*member.value);
                   }
                 },
             },
             expression.node);
}

std::uint64_t count(const Expression& expression) {
  std::uint64_t nodes = 1;
  for_each_operand(expression,
                   [&](const Expression& operand) { nodes += count(operand); });
  return nodes;
}

bool is_comparison(BinaryOperator operation) {
  using enum BinaryOperator;
  switch (operation) {
    case Equal:
    case NotEqual:
    case Less:
    case LessEqual:
    case Greater:
    case GreaterEqual:
      return true;
    case Add:
    case Subtract:
    case Multiply:
    case Divide:
    case Modulo:
    case ShiftLeft:
    case ShiftRight:
    case And:
    case Or:
    case ExclusiveOr:
      return false;
  }
  return false;
}

bool may_exceed_type(const types::TypeTable& table, const Expression& expression) {
  if (!table.is_integer(expression.type) || !table.is_signed(expression.type) ||
      table.size_of(expression.type).value_or(0) >= sizeof(std::uint64_t)) {
    return false;
  }
  const auto may_exceed = [&](const ExpressionPointer& operand) {
    return may_exceed_type(table, *operand);
  };
  return std::visit(
      Overloaded{
          [](const auto&) { return false; },
          [](const IntegerValue&) { return true; },
          [](const Unary& n) { return n.operation != UnaryOperator::LogicalNot; },
          [](const Binary& n) { return !is_comparison(n.operation); },
          [&](const Conditional& n) {
            return may_exceed(n.then_value) || may_exceed(n.else_value);
          },
          [&](const Comma& n) { return may_exceed(n.right); },
      },
      expression.node);
}

bool is_bit_field(const Expression& expression) {
  const auto* memory = std::get_if<Load>(&expression.node);
  return memory != nullptr && memory->bit_field.has_value();
}

bool is_named_by_smaller_type(const types::TypeTable& table, const Expression& value) {
  const auto* convert = std::get_if<Convert>(&value.node);
  if (convert == nullptr || convert->operand->type != table.int_type() ||
      !table.is_integer(value.type) ||
      table.size_of(value.type).value_or(0) >=
          table.size_of(table.int_type()).value_or(0)) {
    return false;
  }
  const Node& node = convert->operand->node;
  return std::holds_alternative<Binary>(node) || std::holds_alternative<Unary>(node) ||
         std::holds_alternative<Conditional>(node) ||
         std::holds_alternative<Comma>(node) ||
         std::holds_alternative<IntegerValue>(node);
}

ExpressionPointer calculated(const types::TypeTable& table, ExpressionPointer value) {
  return is_named_by_smaller_type(table, *value)
             ? std::move(std::get<Convert>(value->node).operand)
             : std::move(value);
}

const IntegerValue* as_integer(const Expression& expression) {
  return std::get_if<IntegerValue>(&expression.node);
}

bool is_zero(const Expression& expression) {
  const IntegerValue* integer = as_integer(expression);
  return integer != nullptr && integer->value == 0;
}

}  // namespace kinst::d::typed
