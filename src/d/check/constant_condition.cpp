// `OPT ? printf("…") : 1`: what a constant chooses is no part of an expression, but
// stands there by itself. Which expressions are constant is seen by their form, so that
// nothing else is checked before it is known whether it counts.
#include <algorithm>

#include "base/overloaded.h"
#include "d/check/expression_checker.h"
#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

// As in libdtrace's parser: literals, enumerators, inlines that are constant, sizes of
// types, and what operators and casts make of these.
bool ExpressionChecker::is_constant(const Expression& expression,
                                    std::uint32_t depth) const {
  // An inline can only use names that were defined before it, but one of these can have
  // the inline's own name.
  constexpr std::uint32_t most_levels = 2 * max_expression_height;
  if (depth > most_levels) {
    return false;
  }
  const auto also = [&](const Expression& operand) {
    return is_constant(operand, depth + 1);
  };
  return std::visit(
      Overloaded{
          [](const IntegerLiteral&) { return true; },
          [](const SizeofType&) { return true; },
          [](const Offsetof&) { return true; },
          [&](const SizeofExpression& node) {
            return std::holds_alternative<StringLiteral>(node.operand->node);
          },
          [&](const Identifier& node) { return is_constant(node, depth); },
          [&](const Unary& node) {
            return (node.op == UnaryOperator::Plus || node.op == UnaryOperator::Minus ||
                    node.op == UnaryOperator::BitNot ||
                    node.op == UnaryOperator::LogicalNot) &&
                   also(*node.operand);
          },
          [&](const Binary& node) {
            return node.op != BinaryOperator::Comma && also(*node.left) &&
                   also(*node.right);
          },
          [&](const Conditional& node) {
            return also(*node.condition) && also(*node.if_true) && also(*node.if_false);
          },
          [&](const Cast& node) { return also(*node.operand); },
          [](const auto&) { return false; },
      },
      expression.node);
}

bool ExpressionChecker::is_constant(const Identifier& identifier,
                                    std::uint32_t depth) const {
  const std::string& name = identifier.name;
  if (find_binding(name) != nullptr) {
    return false;
  }
  const GlobalSymbol* symbol = find_global(name);
  if (symbol == nullptr) {
    return !is_builtin_name(name) && !names_local(name) &&
           (environment_.register_index(name) || environment_.kernel_enumerator(name));
  }
  if (const auto* definition = std::get_if<InlineSymbol>(symbol)) {
    return !definition->is_array &&
           is_constant(definition->definition->value, depth + 1);
  }
  return std::holds_alternative<ConstantSymbol>(*symbol);
}

// Nothing if the condition is not constant, or if it has an error, which has been
// reported.
std::optional<bool> ExpressionChecker::constant_condition(
    const Conditional& conditional) {
  if (!is_constant(*conditional.condition)) {
    return std::nullopt;
  }
  const typed::ExpressionPointer value = check(*conditional.condition);
  const auto* constant = value == nullptr || !table_.is_integer(value->type)
                             ? nullptr
                             : typed::as_integer(*value);
  return constant == nullptr ? std::nullopt : std::optional(constant->value != 0);
}

const Expression& ExpressionChecker::chosen(const Expression& expression) {
  const Expression* result = &expression;
  while (const auto* conditional = std::get_if<Conditional>(&result->node)) {
    const auto condition = constant_condition(*conditional);
    if (!condition) {
      break;
    }
    result = *condition ? conditional->if_true.get() : conditional->if_false.get();
  }
  return *result;
}

}  // namespace kinst::d
