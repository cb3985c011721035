// =, its compound forms, ++ and --. New variables are created here.
#include <fmt/format.h>

#include <utility>

#include "base/overloaded.h"
#include "d/check/expression_checker.h"
#include "d/syntax/spelling.h"
#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"
#include "record/aggregating_function.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

namespace {

/// An array's key types by their first use: characters count as strings.
std::vector<TypeId> signature_of(const types::TypeTable& table,
                                 const std::vector<ExpressionPointer>& keys) {
  std::vector<TypeId> signature;
  signature.reserve(keys.size());
  for (const ExpressionPointer& key : keys) {
    signature.push_back(is_array(table, key->type) &&
                                is_string_compatible(table, key->type)
                            ? table.string_type()
                            : key->type);
  }
  return signature;
}

/// The scope and name of the variable that an assignment to this expression may create;
/// nothing for expressions that create none.
struct Newborn {
  typed::VariableScope scope = typed::VariableScope::Global;
  std::string name;
  const Index* index = nullptr;
};
std::optional<Newborn> newborn(const Expression& expression) {
  if (const auto* identifier = std::get_if<Identifier>(&expression.node)) {
    return Newborn{.name = identifier->name};
  }
  if (const auto* variable = std::get_if<ScopedVariable>(&expression.node)) {
    return Newborn{.scope = variable->scope == Scope::Self
                                ? typed::VariableScope::Thread
                                : typed::VariableScope::Clause,
                   .name = variable->name};
  }
  if (const auto* index = std::get_if<Index>(&expression.node)) {
    auto base = newborn(*index->base);
    if (base && base->index == nullptr) {
      base->index = index;
      return base;
    }
  }
  return std::nullopt;
}

std::string_view prefix_of(typed::VariableScope scope) {
  switch (scope) {
    case typed::VariableScope::Global:
      return "";
    case typed::VariableScope::Thread:
      return "self->";
    case typed::VariableScope::Clause:
      return "this->";
  }
  return "";
}

}  // namespace

ExpressionPointer ExpressionChecker::assignment(const Assignment& assignment,
                                                Span span) {
  if (std::holds_alternative<AggregationReference>(assignment.target->node)) {
    error("D_OP_LVAL", span, "an aggregation is assigned in a statement of its own");
    return nullptr;
  }
  // The error in @a[x][y] is reported before errors in the assigned value.
  const auto* place = std::get_if<Index>(&assignment.target->node);
  if (place != nullptr &&
      std::holds_alternative<AggregationReference>(place->base->node)) {
    return index(*place, assignment.target->span);
  }
  return assignment.op ? compound_assignment(assignment, span)
                       : plain_assignment(assignment, span);
}

ExpressionPointer ExpressionChecker::target(const Expression& expression, TypeId type) {
  const auto candidate = newborn(expression);
  const auto exists = [&] {
    if (candidate->scope != typed::VariableScope::Global) {
      return names_.find_variable(candidate->scope, candidate->name).has_value();
    }
    return find_binding(candidate->name) != nullptr ||
           find_global(candidate->name) != nullptr || is_builtin_name(candidate->name);
  };
  if (!candidate || exists()) {
    return check(expression);
  }
  typed::Variable variable{
      .name = candidate->name, .scope = candidate->scope, .type = type};
  if (candidate->index == nullptr) {
    return typed::make(
        type, expression.span,
        typed::VariableValue{names_.add_variable(std::move(variable)), {}});
  }
  if (candidate->scope == typed::VariableScope::Clause) {
    error("D_ARR_LOCAL", expression.span,
          fmt::format("this->{} cannot be an associative array", candidate->name))
        .hint = "self-> and global variables can";
    return nullptr;
  }
  auto values = keys(candidate->index->indices);
  if (!values) {
    return nullptr;
  }
  variable.key_types = signature_of(table_, *values);
  const auto signature = variable.key_types;
  const typed::VariableId id = names_.add_variable(std::move(variable));
  if (!match_keys(candidate->name, signature, *values, expression.span)) {
    return nullptr;
  }
  return typed::make(type, expression.span,
                     typed::VariableValue{id, std::move(*values)});
}

// A program may write through anything that it casts to a pointer. An invalid address
// is found at run time. Source: libdtrace's dt_cook_op2(), DT_TOK_LPAR.
bool ExpressionChecker::is_behind_pointer_cast(const Expression& target) {
  return std::visit(
      Overloaded{
          [&](const Cast& node) {
            const auto type = types_.resolve(node.type);
            return type && table_.is_pointer(*type);
          },
          [&](const Unary& node) {
            return node.op == UnaryOperator::Dereference &&
                   is_behind_pointer_cast(*node.operand);
          },
          [&](const Binary& node) {
            return node.op == BinaryOperator::Add && is_behind_pointer_cast(*node.left);
          },
          [&](const Index& node) { return is_behind_pointer_cast(*node.base); },
          [&](const Member& node) { return is_behind_pointer_cast(*node.object); },
          [](const auto&) { return false; },
      },
      target.node);
}

bool ExpressionChecker::check_is_writable(const Destination& place,
                                          std::string_view operation, Span span) {
  const typed::Expression& target = place.value;
  const bool is_builtin = std::holds_alternative<typed::BuiltinValue>(target.node);
  if (!is_builtin && !is_lvalue(table_, target)) {
    error(
        "D_OP_LVAL", span,
        fmt::format("operator {} needs something that can be assigned to", operation));
    return false;
  }
  if (!is_writable(table_, target) && !is_behind_pointer_cast(place.written)) {
    auto& diagnostic = error(
        "D_OP_WRITE", span,
        fmt::format("operator {} can only change variables of the program", operation));
    if (operation == "=") {
      diagnostic.hint = "to compare, write ==";
    }
    return false;
  }
  return true;
}

void ExpressionChecker::note_broken(const Expression& target) {
  if (const auto candidate = newborn(target)) {
    names_.broken.insert(
        fmt::format("{}{}", prefix_of(candidate->scope), candidate->name));
  }
}

ExpressionPointer ExpressionChecker::assigned_value(const Assignment& assignment,
                                                    Span span) {
  if (const auto* identifier = std::get_if<Identifier>(&assignment.target->node)) {
    unborn_.push_back(identifier->name);
  } else {
    unborn_.emplace_back();
  }
  ExpressionPointer value = check_value(*assignment.value);
  unborn_.pop_back();
  if (value == nullptr) {
    return nullptr;
  }
  if (is_void(table_, value->type)) {
    const auto* call = std::get_if<Call>(&assignment.value->node);
    auto& diagnostic = error(
        "D_OP_INCOMPAT", span,
        call == nullptr
            ? fmt::format("\"{}\" cannot be assigned", type_name(*value))
            : fmt::format("{}() gives no value that can be assigned", call->function));
    if (call != nullptr && find_symbolic(call->function)) {
      diagnostic.hint =
          fmt::format("it can be recorded or be a key: @[{}({})] = count()",
                      call->function, call->arguments.empty() ? "" : "…");
    }
    if (call != nullptr && record::find_aggregating_function(call->function)) {
      diagnostic.hint = fmt::format("aggregations begin with @, as in @a = {}({})",
                                    call->function, call->arguments.empty() ? "" : "…");
    }
    return nullptr;
  }
  if (is_array(table_, value->type) || is_function(table_, value->type)) {
    // A new variable would have to take its type.
    const auto candidate = newborn(*assignment.target);
    if (candidate && !names_.find_variable(candidate->scope, candidate->name)) {
      auto& diagnostic =
          error("D_OP_ARRFUN", span,
                fmt::format("operator = cannot assign a \"{}\"", type_name(*value)));
      if (is_string_compatible(table_, value->type)) {
        diagnostic.hint = "take it as a string: stringof(…)";
      }
      return nullptr;
    }
  }
  return value;
}

ExpressionPointer ExpressionChecker::plain_assignment(const Assignment& assignment,
                                                      Span span) {
  ExpressionPointer value = assigned_value(assignment, span);
  ExpressionPointer place =
      value == nullptr ? nullptr : target(*assignment.target, value->type);
  if (place == nullptr) {
    note_broken(*assignment.target);
    return nullptr;
  }
  return assign(*assignment.target, std::move(place), std::move(value), span);
}

ExpressionPointer ExpressionChecker::assign(const Expression& written,
                                            ExpressionPointer place,
                                            ExpressionPointer value, Span span) {
  const TypeId type = place->type;
  if (is_array(table_, type) || is_function(table_, type)) {
    error("D_OP_ARRFUN", span,
          fmt::format("operator = cannot assign to a \"{}\"", type_name(*place)));
    return nullptr;
  }
  // Assigning 0 frees a thread variable or an array element of any type.
  const auto* variable = std::get_if<typed::VariableValue>(&place->node);
  const bool frees =
      typed::is_zero(*value) && table_.is_integer(value->type) && variable != nullptr &&
      (!variable->keys.empty() ||
       names_.variable(variable->variable).scope == typed::VariableScope::Thread);
  // A string variable becomes NULL; a string in a struct has no such state.
  const bool is_null = table_.is_string(type) && typed::is_zero(*value);
  const bool is_kept =
      (table_.is_by_reference(type) && frees) || (is_null && variable != nullptr);
  if (!is_assignable(table_, type, operand_type(*value)) && !frees) {
    report_incompatible("=", span, *place, *value);
    return nullptr;
  }
  if (!check_is_writable({written, *place}, "=", span)) {
    return nullptr;
  }
  if (is_null && !is_kept) {
    value = typed::make(type, value->span, typed::StringValue{});
  } else if (!is_kept) {
    value = convert(std::move(value), type);
  }
  return typed::make(type, span,
                     typed::Assign{std::move(place), std::move(value), std::nullopt});
}

bool ExpressionChecker::check_compound_types(const Assignment& assignment,
                                             const typed::Expression& left,
                                             const typed::Expression& right) {
  const std::string operation = assignment_spelling(assignment);
  const Span span = assignment.operator_span;
  const bool are_integers =
      table_.is_integer(left.type) && table_.is_integer(right.type);
  switch (*assignment.op) {
    case BinaryOperator::Add:
    case BinaryOperator::Subtract:
      if (are_integers) {
        return true;
      }
      if (table_.is_string(left.type) || table_.is_string(right.type)) {
        report_incompatible(operation, span, left, right);
        return false;
      }
      if (!is_pointer_like(table_, left.type) ||
          is_void_or_function_pointer(table_, left.type)) {
        error("D_OP_VFPTR", span,
              fmt::format("operator {} cannot calculate with \"{}\"", operation,
                          type_name(left)));
        return false;
      }
      if (!table_.is_integer(right.type)) {
        report_incompatible(operation, span, left, right);
        return false;
      }
      return true;
    case BinaryOperator::Multiply:
    case BinaryOperator::Divide:
      if (!are_integers) {
        error("D_OP_ARITH", span,
              fmt::format("operator {} needs operands of arithmetic type", operation));
      }
      return are_integers;
    default:
      if (!are_integers) {
        error("D_OP_INT", span,
              fmt::format("operator {} needs operands of integral type", operation));
      }
      return are_integers;
  }
}

ExpressionPointer ExpressionChecker::compound_assignment(const Assignment& assignment,
                                                         Span span) {
  const auto* identifier = std::get_if<Identifier>(&assignment.target->node);
  unborn_.push_back(identifier != nullptr ? identifier->name : std::string());
  ExpressionPointer place = check(*assignment.target);
  ExpressionPointer value = check(*assignment.value);
  unborn_.pop_back();
  if (place == nullptr) {
    note_broken(*assignment.target);
    return nullptr;
  }
  if (value == nullptr || !check_compound_types(assignment, *place, *value) ||
      !check_is_writable({*assignment.target, *place}, assignment_spelling(assignment),
                         span)) {
    return nullptr;
  }
  const bool divides = *assignment.op == BinaryOperator::Divide ||
                       *assignment.op == BinaryOperator::Modulo;
  if (divides && typed::is_zero(*value)) {
    error("D_DIV_ZERO", assignment.value->span, "division by zero");
    return nullptr;
  }
  value = typed::calculated(table_, std::move(value));
  const typed::BinaryOperator operation = typed_operator(*assignment.op);
  const TypeId type = place->type;
  if (table_.is_pointer(type)) {
    const TypeId target = completed_record(*target_of(table_, type));
    const TypeId offset_type = table_.int64_type();
    value =
        combine(typed::BinaryOperator::Multiply, convert(std::move(value), offset_type),
                integer(table_.size_of(target).value_or(1), offset_type, span),
                offset_type, span);
  }
  // Unlike C, DTrace divides and shifts by the target's sign and converts nothing:
  // the node of `x /= y` has the type of x (dt_cook_op2), which dt_cg_node goes by.
  return typed::make(type, span,
                     typed::Assign{std::move(place), std::move(value), operation});
}

ExpressionPointer ExpressionChecker::increment(const Unary& unary, Span span) {
  // Unlike +=, ++ creates a new variable, of type int64_t.
  ExpressionPointer place = target(*unary.operand, table_.int64_type());
  if (place == nullptr) {
    return nullptr;
  }
  const std::string_view operation = spelling(unary.op);
  if (!is_scalar(table_, place->type)) {
    error("D_OP_SCALAR", span,
          fmt::format("operator {} needs an operand of scalar type", operation))
        .label = fmt::format("of type {}", type_name(*place));
    return nullptr;
  }
  if (is_void_or_function_pointer(table_, place->type)) {
    error("D_OP_VFPTR", span,
          fmt::format("operator {} cannot calculate with \"{}\"", operation,
                      type_name(*place)));
    return nullptr;
  }
  if (!check_is_writable({*unary.operand, *place}, operation, span)) {
    return nullptr;
  }
  std::int64_t step = 1;
  if (table_.is_pointer(place->type)) {
    const TypeId target = completed_record(*target_of(table_, place->type));
    step = static_cast<std::int64_t>(table_.size_of(target).value_or(1));
  }
  const bool is_down = unary.op == UnaryOperator::PreDecrement ||
                       unary.op == UnaryOperator::PostDecrement;
  const bool is_postfix = unary.op == UnaryOperator::PostIncrement ||
                          unary.op == UnaryOperator::PostDecrement;
  const TypeId type = place->type;
  return typed::make(
      type, span,
      typed::Increment{std::move(place), is_down ? -step : step, is_postfix});
}

}  // namespace kinst::d
