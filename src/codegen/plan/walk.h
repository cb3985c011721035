// Visits the statements and expressions of a clause in source order.
#pragma once

#include <variant>
#include <vector>

#include "base/overloaded.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// Calls visit(statement) for every statement, also in both branches of an `if`, but
/// not for the `if` itself.
template <typename Visit>
void for_each_statement(const std::vector<d::typed::Statement>& statements,
                        const Visit& visit) {
  for (const d::typed::Statement& statement : statements) {
    if (const auto* branches = std::get_if<d::typed::If>(&statement.node)) {
      for_each_statement(branches->then_branch, visit);
      for_each_statement(branches->else_branch, visit);
    } else {
      visit(statement);
    }
  }
}

/// Calls visit(expression) for the expression and all its parts. Does nothing for null.
template <typename Visit>
void for_each_expression(const d::typed::ExpressionPointer& expression,
                         const Visit& visit) {
  if (expression == nullptr) {
    return;
  }
  visit(*expression);
  const auto all = [&](const std::vector<d::typed::ExpressionPointer>& list) {
    for (const d::typed::ExpressionPointer& one : list) {
      for_each_expression(one, visit);
    }
  };
  std::visit(
      Overloaded{
          [](const d::typed::IntegerValue&) {}, [](const d::typed::StringValue&) {},
          [](const d::typed::VariableAddress&) {}, [](const d::typed::LocalValue&) {},
          [&](const d::typed::BuiltinValue& node) {
            for_each_expression(node.index, visit);
          },
          [&](const d::typed::VariableValue& node) { all(node.keys); },
          [&](const d::typed::Load& node) { for_each_expression(node.address, visit); },
          [&](const d::typed::Unary& node) {
            for_each_expression(node.operand, visit);
          },
          [&](const d::typed::Convert& node) {
            for_each_expression(node.operand, visit);
          },
          [&](const d::typed::Increment& node) {
            for_each_expression(node.target, visit);
          },
          [&](const d::typed::SymbolicValue& node) {
            for_each_expression(node.address, visit);
          },
          [&](const d::typed::SubroutineCall& node) { all(node.arguments); },
          [&](const d::typed::RecordValue& node) {
            for (const d::typed::RecordValue::Member& member : node.members) {
              for_each_expression(member.value, visit);
            }
          },
          [&](const d::typed::Assign& node) {
            for_each_expression(node.target, visit);
            for_each_expression(node.value, visit);
          },
          [&](const d::typed::Conditional& node) {
            for_each_expression(node.condition, visit);
            for_each_expression(node.then_value, visit);
            for_each_expression(node.else_value, visit);
          },
          [&](const auto& node) {  // Binary, Logical, Comma
            for_each_expression(node.left, visit);
            for_each_expression(node.right, visit);
          }},
      expression->node);
}

/// Calls visit() for all expressions of a statement. Of an `if`, only the condition is
/// visited.
template <typename Visit>
void for_each_expression(const d::typed::Statement& statement, const Visit& visit) {
  const auto all = [&](const std::vector<d::typed::ExpressionPointer>& list) {
    for (const d::typed::ExpressionPointer& one : list) {
      for_each_expression(one, visit);
    }
  };
  std::visit(Overloaded{[&](const d::typed::ExpressionStatement& node) {
                          for_each_expression(node.expression, visit);
                        },
                        [&](const d::typed::If& node) {
                          for_each_expression(node.condition, visit);
                        },
                        [&](const d::typed::ActionCall& node) { all(node.arguments); },
                        [&](const d::typed::Aggregate& node) {
                          all(node.keys);
                          for_each_expression(node.value, visit);
                          for_each_expression(node.weight, visit);
                        }},
             statement.node);
}

/// Calls visit() for all expressions of a clause.
template <typename Visit>
void for_each_expression(const d::typed::Clause& clause, const Visit& visit) {
  const auto in_statements = [&](const auto& self,
                                 const std::vector<d::typed::Statement>& list) -> void {
    for (const d::typed::Statement& statement : list) {
      for_each_expression(statement, visit);
      if (const auto* branches = std::get_if<d::typed::If>(&statement.node)) {
        self(self, branches->then_branch);
        self(self, branches->else_branch);
      }
    }
  };
  for_each_expression(clause.predicate, visit);
  in_statements(in_statements, clause.statements);
}

}  // namespace kinst::codegen
