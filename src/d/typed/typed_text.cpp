// Written to be read against the D text: operators as in D, what the checker added in
// C's spelling.
#include "d/typed/typed_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "base/overloaded.h"

namespace kinst::d {
namespace {

/// By the enumerators' order.
constexpr std::array<std::string_view, 3> unary_operators = {"-", "~", "!"};
constexpr std::array<std::string_view, 16> binary_operators = {
    "+", "-", "*",  "/",  "%", "<<", ">>", "&",
    "|", "^", "==", "!=", "<", "<=", ">",  ">="};
constexpr std::array<std::string_view, 3> logical_operators = {"&&", "||", "^^"};

class Writer {
 public:
  Writer(const std::vector<typed::Variable>& variables,
         const std::vector<typed::Aggregation>& aggregations,
         const types::TypeTable& table)
      : variables_(variables), aggregations_(aggregations), table_(table) {}

  std::string expression(const typed::Expression& value) const;
  std::string list(const std::vector<typed::ExpressionPointer>& values) const;
  void statements(const std::vector<typed::Statement>& statements, std::size_t depth);
  void clause(const typed::Clause& clause);
  void declarations();
  std::string take() { return std::move(text_); }

 private:
  std::string memory(const typed::Expression& value, const typed::Load& load) const;
  std::string assignment(const typed::Assign& assign) const;
  std::string increment(const typed::Increment& increment) const;
  std::string symbolic(const typed::SymbolicValue& value) const;
  std::string record(const typed::Expression& value,
                     const typed::RecordValue& record) const;
  std::string name(typed::VariableId id) const;
  std::string name(typed::AggregationId id) const;
  std::string action(const typed::ActionCall& action) const;
  std::string aggregate(const typed::Aggregate& aggregate) const;
  void line(std::size_t depth, std::string_view text) {
    text_ += std::string(2 * depth, ' ') + std::string(text) + "\n";
  }

  const std::vector<typed::Variable>& variables_;
  const std::vector<typed::Aggregation>& aggregations_;
  const types::TypeTable& table_;
  std::string text_;
};

std::string Writer::name(typed::VariableId id) const {
  const typed::Variable& variable = variables_.at(static_cast<std::size_t>(id));
  switch (variable.scope) {
    case typed::VariableScope::Thread:
      return "self->" + variable.name;
    case typed::VariableScope::Clause:
      return "this->" + variable.name;
    case typed::VariableScope::Global:
      break;
  }
  return variable.name;
}

std::string Writer::name(typed::AggregationId id) const {
  return "@" + aggregations_.at(static_cast<std::size_t>(id)).name;
}

std::string Writer::list(const std::vector<typed::ExpressionPointer>& values) const {
  std::string text;
  for (const typed::ExpressionPointer& value : values) {
    text += (text.empty() ? "" : ", ") + expression(*value);
  }
  return text;
}

std::string Writer::memory(const typed::Expression& value,
                           const typed::Load& load) const {
  std::string text =
      fmt::format("*({} *){}", table_.name_of(value.type), expression(*load.address));
  if (load.space == types::AddressSpace::User) {
    text = "user " + text;
  }
  if (load.bit_field) {
    text += fmt::format(":{}..{}", load.bit_field->offset_bits,
                        load.bit_field->offset_bits + load.bit_field->width_bits - 1);
  }
  return text;
}

std::string Writer::assignment(const typed::Assign& assign) const {
  if (!assign.operation) {
    return fmt::format("{} = {}", expression(*assign.target),
                       expression(*assign.value));
  }
  return fmt::format("{} {}= {}", expression(*assign.target),
                     binary_operators.at(static_cast<std::size_t>(*assign.operation)),
                     expression(*assign.value));
}

std::string Writer::increment(const typed::Increment& increment) const {
  const std::string target = expression(*increment.target);
  if (increment.gives_old_value) {
    return fmt::format("{} then += {}", target, increment.step);
  }
  return fmt::format("{} += {}", target, increment.step);
}

std::string Writer::symbolic(const typed::SymbolicValue& value) const {
  const std::string_view name = symbolic_info(value.kind).name;
  if (value.address != nullptr) {
    return fmt::format("{}({})", name, expression(*value.address));
  }
  return value.string_bytes == 0
             ? fmt::format("{}({})", name, value.frames)
             : fmt::format("{}({}, {})", name, value.frames, value.string_bytes);
}

std::string Writer::record(const typed::Expression& value,
                           const typed::RecordValue& record) const {
  std::string members;
  for (const typed::RecordValue::Member& member : record.members) {
    members += fmt::format("{}+{}: {}", members.empty() ? "" : ", ", member.offset,
                           expression(*member.value));
  }
  return fmt::format("({}){{{}}}", table_.name_of(value.type), members);
}

std::string Writer::expression(const typed::Expression& value) const {
  return std::visit(
      Overloaded{
          [&](const typed::IntegerValue& node) {
            return table_.is_signed(value.type)
                       ? std::to_string(static_cast<std::int64_t>(node.value))
                       : std::to_string(node.value);
          },
          [&](const typed::StringValue& node) {
            return fmt::format("\"{}\"", node.text);
          },
          [&](const typed::BuiltinValue& node) {
            const auto builtin = builtin_info(node.builtin).name;
            return node.index == nullptr
                       ? std::string(builtin)
                       : fmt::format("{}[{}]", builtin, expression(*node.index));
          },
          [&](const typed::VariableValue& node) {
            return node.keys.empty()
                       ? name(node.variable)
                       : fmt::format("{}[{}]", name(node.variable), list(node.keys));
          },
          [&](const typed::Load& node) { return memory(value, node); },
          [&](const typed::VariableAddress& node) { return "&" + name(node.variable); },
          [](const typed::LocalValue& node) {
            return fmt::format("local {}", static_cast<std::uint32_t>(node.local));
          },
          [&](const typed::Unary& node) {
            return fmt::format(
                "{}{}", unary_operators.at(static_cast<std::size_t>(node.operation)),
                expression(*node.operand));
          },
          [&](const typed::Binary& node) {
            return fmt::format(
                "({} {} {})", expression(*node.left),
                binary_operators.at(static_cast<std::size_t>(node.operation)),
                expression(*node.right));
          },
          [&](const typed::Logical& node) {
            return fmt::format(
                "({} {} {})", expression(*node.left),
                logical_operators.at(static_cast<std::size_t>(node.operation)),
                expression(*node.right));
          },
          [&](const typed::Conditional& node) {
            return fmt::format("({} ? {} : {})", expression(*node.condition),
                               expression(*node.then_value),
                               expression(*node.else_value));
          },
          [&](const typed::Comma& node) {
            return fmt::format("({}, {})", expression(*node.left),
                               expression(*node.right));
          },
          [&](const typed::Convert& node) {
            return fmt::format("({}){}", table_.name_of(value.type),
                               expression(*node.operand));
          },
          [&](const typed::Assign& node) { return "(" + assignment(node) + ")"; },
          [&](const typed::Increment& node) { return "(" + increment(node) + ")"; },
          [&](const typed::SubroutineCall& node) {
            return fmt::format("{}({})", subroutine_info(node.subroutine).name,
                               list(node.arguments));
          },
          [&](const typed::SymbolicValue& node) { return symbolic(node); },
          [&](const typed::RecordValue& node) { return record(value, node); },
      },
      value.node);
}

std::string Writer::action(const typed::ActionCall& action) const {
  std::string arguments;
  const auto add = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  if (!action.format.empty()) {
    add(fmt::format("\"{}\"", action.format));
  }
  for (const typed::AggregationId id : action.aggregations) {
    add(name(id));
  }
  if (!action.arguments.empty()) {
    add(list(action.arguments));
  }
  return fmt::format("{}({})", action_info(action.action).name, arguments);
}

std::string Writer::aggregate(const typed::Aggregate& aggregate) const {
  const typed::Aggregation& aggregation =
      aggregations_.at(static_cast<std::size_t>(aggregate.aggregation));
  std::string arguments =
      aggregate.value == nullptr ? "" : expression(*aggregate.value);
  if (aggregate.weight != nullptr) {
    arguments += ", weight " + expression(*aggregate.weight);
  }
  const std::string keys =
      aggregate.keys.empty() ? "" : fmt::format("[{}]", list(aggregate.keys));
  return fmt::format("{}{} = {}({})", name(aggregate.aggregation), keys,
                     name_of(aggregation.function), arguments);
}

void Writer::statements(const std::vector<typed::Statement>& statements,
                        std::size_t depth) {
  for (const typed::Statement& statement : statements) {
    std::visit(Overloaded{
                   [&](const typed::ExpressionStatement& node) {
                     line(depth, expression(*node.expression));
                   },
                   [&](const typed::If& node) {
                     line(depth, fmt::format("if {}", expression(*node.condition)));
                     this->statements(node.then_branch, depth + 1);
                     if (!node.else_branch.empty()) {
                       line(depth, "else");
                       this->statements(node.else_branch, depth + 1);
                     }
                   },
                   [&](const typed::ActionCall& node) { line(depth, action(node)); },
                   [&](const typed::Aggregate& node) { line(depth, aggregate(node)); },
               },
               statement.node);
  }
}

void Writer::declarations() {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const typed::Variable& variable = variables_[i];
    std::string keys;
    for (const types::TypeId key : variable.key_types) {
      keys += (keys.empty() ? "" : ", ") + table_.name_of(key);
    }
    line(0, fmt::format(
                "{}{}: {}", name(typed::VariableId{static_cast<std::uint32_t>(i)}),
                keys.empty() ? "" : "[" + keys + "]", table_.name_of(variable.type)));
  }
  for (const typed::Aggregation& aggregation : aggregations_) {
    std::string keys;
    for (std::size_t i = 0; i < aggregation.key_types.size(); ++i) {
      const auto symbol = aggregation.key_symbols[i];
      keys += (keys.empty() ? "" : ", ") +
              (symbol ? std::string(symbolic_info(*symbol).name)
                      : table_.name_of(aggregation.key_types[i]));
    }
    std::string parameters;
    for (const std::int64_t parameter : aggregation.parameters) {
      parameters += (parameters.empty() ? "" : ", ") + std::to_string(parameter);
    }
    line(0, fmt::format("@{}{}: {}({})", aggregation.name,
                        keys.empty() ? "" : "[" + keys + "]",
                        name_of(aggregation.function), parameters));
  }
}

void Writer::clause(const typed::Clause& clause) {
  line(0, fmt::format("description {}{}{}", clause.description,
                      clause.predicate == nullptr
                          ? ""
                          : " / " + expression(*clause.predicate) + " /",
                      clause.is_default ? " default" : ""));
  statements(clause.statements, 1);
}

}  // namespace

std::string to_text(const typed::Expression& expression, const typed::Program& program,
                    const types::TypeTable& table) {
  return Writer(program.variables, program.aggregations, table).expression(expression);
}

std::string to_text(const typed::Program& program, const types::TypeTable& table) {
  Writer writer(program.variables, program.aggregations, table);
  writer.declarations();
  for (const typed::Clause& clause : program.clauses) {
    writer.clause(clause);
  }
  return writer.take();
}

}  // namespace kinst::d
