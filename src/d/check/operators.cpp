// Operators that give a value and change nothing.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "d/check/expression_checker.h"
#include "d/syntax/spelling.h"
#include "d/tables/own_names.h"
#include "d/typed/folding.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

namespace {

bool is_action(const Expression& expression) {
  const auto* call = std::get_if<Call>(&expression.node);
  return call != nullptr &&
         (find_action(call->function) || find_symbolic(call->function));
}

}  // namespace

typed::BinaryOperator typed_operator(BinaryOperator operation) {
  switch (operation) {
    case BinaryOperator::Multiply:
      return typed::BinaryOperator::Multiply;
    case BinaryOperator::Divide:
      return typed::BinaryOperator::Divide;
    case BinaryOperator::Modulo:
      return typed::BinaryOperator::Modulo;
    case BinaryOperator::Subtract:
      return typed::BinaryOperator::Subtract;
    case BinaryOperator::ShiftLeft:
      return typed::BinaryOperator::ShiftLeft;
    case BinaryOperator::ShiftRight:
      return typed::BinaryOperator::ShiftRight;
    case BinaryOperator::Less:
      return typed::BinaryOperator::Less;
    case BinaryOperator::LessEqual:
      return typed::BinaryOperator::LessEqual;
    case BinaryOperator::Greater:
      return typed::BinaryOperator::Greater;
    case BinaryOperator::GreaterEqual:
      return typed::BinaryOperator::GreaterEqual;
    case BinaryOperator::Equal:
      return typed::BinaryOperator::Equal;
    case BinaryOperator::NotEqual:
      return typed::BinaryOperator::NotEqual;
    case BinaryOperator::BitAnd:
      return typed::BinaryOperator::And;
    case BinaryOperator::BitXor:
      return typed::BinaryOperator::ExclusiveOr;
    case BinaryOperator::BitOr:
      return typed::BinaryOperator::Or;
    default:
      return typed::BinaryOperator::Add;
  }
}

// ---------------------------------------------------------------- conversions

// A bit-field is promoted to int if int can represent all its values (C11 6.3.1.1).
TypeId ExpressionChecker::promoted_type(const typed::Expression& value) {
  if (typed::is_bit_field(value)) {
    constexpr std::uint32_t int_bits = 32;
    const std::uint32_t bits = std::get<typed::Load>(value.node).bit_field->width_bits;
    if (bits < int_bits || (bits == int_bits && table_.is_signed(value.type))) {
      return table_.int_type();
    }
    if (bits == int_bits) {
      return types_.base_types().of(BuiltinType::UnsignedInt);
    }
  }
  return promoted(table_, value.type);
}

TypeId ExpressionChecker::common_type(const typed::Expression& left,
                                      const typed::Expression& right) {
  return usual_conversion(table_, promoted_type(left), promoted_type(right));
}

// The type that DTrace gives the result: the wider of the two, without promotion
// (dt_type_promote).
TypeId ExpressionChecker::named_type(const typed::Expression& left,
                                     const typed::Expression& right) {
  const TypeId common = common_type(left, right);
  const auto size = [&](TypeId type) { return table_.size_of(type).value_or(0); };
  const bool is_small = size(left.type) < size(common) &&
                        size(right.type) < size(common) && common == table_.int_type();
  if (!is_small) {
    return common;
  }
  const auto rank = [&](TypeId type) {
    return 2 * size(type) + (table_.is_signed(type) ? 0 : 1);
  };
  return rank(left.type) >= rank(right.type) ? left.type : right.type;
}

ExpressionPointer ExpressionChecker::named(ExpressionPointer calculation, TypeId type) {
  const bool is_small =
      table_.size_of(type).value_or(0) < table_.size_of(table_.int_type()).value_or(0);
  if (calculation == nullptr || !is_small || calculation->type != table_.int_type()) {
    return calculation;
  }
  const Span span = calculation->span;
  return typed::make(type, span, typed::Convert{std::move(calculation)});
}

ExpressionPointer ExpressionChecker::arithmetic_operand(ExpressionPointer value,
                                                        TypeId type) {
  value = typed::calculated(table_, std::move(value));
  const bool is_same = table_.is_integer(value->type) && table_.is_integer(type) &&
                       table_.is_compatible(value->type, type);
  return value->type == type || is_same ? std::move(value)
                                        : convert(std::move(value), type);
}

// ---------------------------------------------------------------- one operand

ExpressionPointer ExpressionChecker::unary(const Unary& unary, Span span) {
  switch (unary.op) {
    case UnaryOperator::Dereference:
      return dereference(unary, span);
    case UnaryOperator::AddressOf:
      return address_of(unary, span);
    case UnaryOperator::PreIncrement:
    case UnaryOperator::PreDecrement:
    case UnaryOperator::PostIncrement:
    case UnaryOperator::PostDecrement:
      return increment(unary, span);
    default:
      return arithmetic_unary(unary, span);
  }
}

ExpressionPointer ExpressionChecker::arithmetic_unary(const Unary& unary, Span span) {
  ExpressionPointer operand = check(*unary.operand);
  if (operand == nullptr) {
    return nullptr;
  }
  const TypeId named_as = operand->type;
  if (unary.op != UnaryOperator::Plus) {
    operand = typed::calculated(table_, std::move(operand));
  }
  const auto refuse = [&](std::string_view tag, std::string_view wanted) {
    error(tag, span,
          fmt::format("operator {} needs an operand of {} type", spelling(unary.op),
                      wanted))
        .label = fmt::format("of type {}", type_name(*operand));
    return ExpressionPointer();
  };
  const auto* constant = typed::as_integer(*operand);
  const TypeId type = operand->type;
  if (unary.op == UnaryOperator::LogicalNot) {
    if (!is_scalar(table_, type)) {
      return refuse("D_OP_SCALAR", "scalar");
    }
    return constant != nullptr
               ? integer(constant->value == 0 ? 1 : 0, table_.int_type(), span)
               : typed::make(table_.int_type(), span,
                             typed::Unary{typed::UnaryOperator::LogicalNot,
                                          std::move(operand)});
  }
  if (!table_.is_integer(type)) {
    return unary.op == UnaryOperator::BitNot ? refuse("D_OP_INT", "integral")
                                             : refuse("D_OP_ARITH", "arithmetic");
  }
  const TypeId result = promoted_type(*operand);
  if (unary.op == UnaryOperator::Plus) {
    operand->span = span;
    return operand;
  }
  const bool is_minus = unary.op == UnaryOperator::Minus;
  if (constant != nullptr) {
    const std::uint64_t value = is_minus ? 0 - constant->value : ~constant->value;
    return named(integer(cut_result(table_, result, value), result, span), named_as);
  }
  operand = arithmetic_operand(std::move(operand), result);
  return named(typed::make(result, span,
                           typed::Unary{is_minus ? typed::UnaryOperator::Negate
                                                 : typed::UnaryOperator::Complement,
                                        std::move(operand)}),
               named_as);
}

// ---------------------------------------------------------------- two operands

ExpressionPointer ExpressionChecker::binary(const Binary& binary, Span span) {
  switch (binary.op) {
    case BinaryOperator::Add:
    case BinaryOperator::Subtract:
      return additive(binary, span);
    case BinaryOperator::Less:
    case BinaryOperator::LessEqual:
    case BinaryOperator::Greater:
    case BinaryOperator::GreaterEqual:
    case BinaryOperator::Equal:
    case BinaryOperator::NotEqual:
      return comparison(binary, span);
    case BinaryOperator::LogicalAnd:
    case BinaryOperator::LogicalXor:
    case BinaryOperator::LogicalOr:
      return logical(binary, span);
    case BinaryOperator::Comma:
      return comma(binary, span);
    default:
      return arithmetic(binary, span);
  }
}

void ExpressionChecker::report_incompatible(std::string_view operation, Span span,
                                            const typed::Expression& left,
                                            const typed::Expression& right) {
  Diagnostic& told =
      error("D_OP_INCOMPAT", span,
            fmt::format(R"(operands have incompatible types: "{}" {} "{}")",
                        type_name(left), operation, type_name(right)));
  const bool are_strings =
      table_.is_string(left.type) && is_string_compatible(table_, right.type);
  if (operation == "+" && are_strings) {
    told.hint = "strings are joined by strjoin()";
  } else if (operation == "=" &&
             std::holds_alternative<typed::VariableValue>(left.node)) {
    told.hint = "a variable keeps the type of its first assignment or declaration";
  }
}

// Both operands have been converted. Constants are computed here.
ExpressionPointer ExpressionChecker::combine(typed::BinaryOperator operation,
                                             ExpressionPointer left,
                                             ExpressionPointer right, TypeId result,
                                             Span span) {
  const auto* left_constant = typed::as_integer(*left);
  const auto* right_constant = typed::as_integer(*right);
  if (left_constant != nullptr && right_constant != nullptr) {
    const std::uint64_t value =
        fold(operation, left_constant->value, right_constant->value,
             table_.is_signed(left->type));
    return integer(cut_result(table_, result, value), result, span);
  }
  return typed::make(result, span,
                     typed::Binary{operation, std::move(left), std::move(right)});
}

ExpressionPointer ExpressionChecker::arithmetic(const Binary& binary, Span span) {
  ExpressionPointer left = check(*binary.left);
  ExpressionPointer right = check(*binary.right);
  if (left == nullptr || right == nullptr) {
    return nullptr;
  }
  const bool is_product =
      binary.op == BinaryOperator::Multiply || binary.op == BinaryOperator::Divide;
  if (!table_.is_integer(left->type) || !table_.is_integer(right->type)) {
    error(is_product ? "D_OP_ARITH" : "D_OP_INT", span,
          fmt::format(R"(operator {} needs operands of {} type, not "{}" and "{}")",
                      spelling(binary.op), is_product ? "arithmetic" : "integral",
                      type_name(*left), type_name(*right)));
    return nullptr;
  }
  const bool divides =
      binary.op == BinaryOperator::Divide || binary.op == BinaryOperator::Modulo;
  if (divides && typed::is_zero(*right)) {
    error("D_DIV_ZERO", binary.right->span, "division by zero");
    return nullptr;
  }
  const typed::BinaryOperator operation = typed_operator(binary.op);
  if (binary.op == BinaryOperator::ShiftLeft ||
      binary.op == BinaryOperator::ShiftRight) {
    const TypeId type = promoted_type(*left);
    const TypeId named_as = left->type;
    const TypeId count = promoted_type(*right);
    return named(combine(operation, arithmetic_operand(std::move(left), type),
                         arithmetic_operand(std::move(right), count), type, span),
                 named_as);
  }
  const TypeId type = common_type(*left, *right);
  const TypeId named_as = named_type(*left, *right);
  return named(combine(operation, arithmetic_operand(std::move(left), type),
                       arithmetic_operand(std::move(right), type), type, span),
               named_as);
}

ExpressionPointer ExpressionChecker::additive(const Binary& binary, Span span) {
  ExpressionPointer left = check(*binary.left);
  ExpressionPointer right = check(*binary.right);
  if (left == nullptr || right == nullptr) {
    return nullptr;
  }
  const auto is_pointer = [&](const typed::Expression& value) {
    return table_.is_string(value.type) ||
           (is_pointer_like(table_, value.type) &&
            !is_void_or_function_pointer(table_, value.type));
  };
  const bool left_is_integer = table_.is_integer(left->type);
  const bool right_is_integer = table_.is_integer(right->type);
  const bool subtracts = binary.op == BinaryOperator::Subtract;
  if (left_is_integer && right_is_integer) {
    const TypeId type = common_type(*left, *right);
    const TypeId named_as = named_type(*left, *right);
    return named(
        combine(typed_operator(binary.op), arithmetic_operand(std::move(left), type),
                arithmetic_operand(std::move(right), type), type, span),
        named_as);
  }
  if (is_pointer(*left) && right_is_integer) {
    return pointer_sum(std::move(left), std::move(right), subtracts, span);
  }
  if (left_is_integer && is_pointer(*right) && !subtracts) {
    return pointer_sum(std::move(right), std::move(left), false, span);
  }
  if (subtracts && is_pointer(*left) && is_pointer(*right) &&
      common_pointer(table_, operand_type(*left), operand_type(*right))) {
    return pointer_difference(std::move(left), std::move(right), span);
  }
  report_incompatible(spelling(binary.op), span, *left, *right);
  return nullptr;
}

// Arrays and strings decay; a string's sum is a string again, as in "abc" + 1.
ExpressionPointer ExpressionChecker::pointer_sum(ExpressionPointer pointer,
                                                 ExpressionPointer index, bool subtract,
                                                 Span span) {
  const bool is_string = table_.is_string(pointer->type);
  const TypeId target = target_of(table_, pointer->type).value_or(table_.char_type());
  const auto size_bytes = table_.size_of(completed_record(target));
  if (!size_bytes) {
    error("D_OP_INCOMPLETE", span,
          fmt::format("cannot calculate with a pointer to {}, whose size is not known",
                      table_.name_of(target)));
    return nullptr;
  }
  if (table_.is_by_reference(pointer->type)) {
    pointer = decay(std::move(pointer), target);
  }
  const TypeId type = pointer->type;
  const TypeId offset_type = table_.int64_type();
  ExpressionPointer offset =
      combine(typed::BinaryOperator::Multiply, convert(std::move(index), offset_type),
              integer(*size_bytes, offset_type, span), offset_type, span);
  ExpressionPointer sum =
      !subtract && typed::as_integer(*offset) != nullptr
          ? add_offset(std::move(pointer), typed::as_integer(*offset)->value)
          : combine(
                subtract ? typed::BinaryOperator::Subtract : typed::BinaryOperator::Add,
                std::move(pointer), std::move(offset), type, span);
  return is_string ? convert(std::move(sum), table_.string_type()) : std::move(sum);
}

ExpressionPointer ExpressionChecker::pointer_difference(ExpressionPointer left,
                                                        ExpressionPointer right,
                                                        Span span) {
  const TypeId target = target_of(table_, left->type).value_or(table_.char_type());
  const TypeId type = table_.int64_type();
  const auto address = [&](ExpressionPointer value) {
    return convert(table_.is_by_reference(value->type) ? decay(std::move(value), target)
                                                       : std::move(value),
                   type);
  };
  const std::uint64_t size_bytes = table_.size_of(completed_record(target)).value_or(1);
  ExpressionPointer left_address = address(std::move(left));
  ExpressionPointer bytes =
      combine(typed::BinaryOperator::Subtract, std::move(left_address),
              address(std::move(right)), type, span);
  return size_bytes <= 1 ? std::move(bytes)
                         : combine(typed::BinaryOperator::Divide, std::move(bytes),
                                   integer(size_bytes, type, span), type, span);
}

// ---------------------------------------------------------------- truth

// Beside a value of an enum, an enumerator's name needs no scope.
ExpressionPointer ExpressionChecker::enumerator_beside(const typed::Expression& left,
                                                       const Expression& right) {
  const auto* type = std::get_if<types::Enum>(&table_.resolved(left.type));
  const auto* identifier = std::get_if<Identifier>(&right.node);
  if (type == nullptr || identifier == nullptr) {
    return check(right);
  }
  for (const types::Enumerator& enumerator : type->enumerators) {
    if (enumerator.name != identifier->name) {
      continue;
    }
    const GlobalSymbol* symbol = find_global(identifier->name);
    const bool is_other =
        is_builtin_name(identifier->name) ||
        (symbol != nullptr && !std::holds_alternative<ConstantSymbol>(*symbol));
    if (is_other) {
      error("D_IDENT_AMBIG", right.span,
            fmt::format("{} is both an enumerator of {} and a variable",
                        identifier->name, type_name(left)));
      return nullptr;
    }
    return integer(static_cast<std::uint64_t>(enumerator.value), left.type, right.span);
  }
  return check(right);
}

ExpressionPointer ExpressionChecker::comparison(const Binary& binary, Span span) {
  ExpressionPointer left = check(*binary.left);
  ExpressionPointer right =
      left == nullptr ? check(*binary.right) : enumerator_beside(*left, *binary.right);
  if (left == nullptr || right == nullptr) {
    return nullptr;
  }
  const typed::BinaryOperator operation = typed_operator(binary.op);
  if (table_.is_integer(left->type) && table_.is_integer(right->type)) {
    const TypeId type = common_type(*left, *right);
    return combine(operation, arithmetic_operand(std::move(left), type),
                   arithmetic_operand(std::move(right), type), table_.int_type(), span);
  }
  const bool is_string_comparison =
      is_string_compatible(table_, left->type) &&
      is_string_compatible(table_, right->type) &&
      (table_.is_string(left->type) || table_.is_string(right->type));
  const auto common = common_pointer(table_, operand_type(*left), operand_type(*right));
  if (!is_string_comparison && !common) {
    report_incompatible(spelling(binary.op), span, *left, *right);
    return nullptr;
  }
  TypeId type = table_.string_type();
  if (!is_string_comparison && !table_.is_string(*common)) {
    type = table_.pointer_to(target_of(table_, *common).value_or(table_.void_type()),
                             space_of(table_, *common));
  }
  return combine(operation, convert(std::move(left), type),
                 convert(std::move(right), type), table_.int_type(), span);
}

ExpressionPointer ExpressionChecker::logical(const Binary& binary, Span span) {
  ExpressionPointer left = check(*binary.left);
  ExpressionPointer right = check(*binary.right);
  if (left == nullptr || right == nullptr) {
    return nullptr;
  }
  if (!is_scalar(table_, left->type) || !is_scalar(table_, right->type)) {
    error("D_OP_SCALAR", span,
          fmt::format(R"(operator {} needs operands of scalar type, not "{}" and "{}")",
                      spelling(binary.op), type_name(*left), type_name(*right)))
        .hint = is_void(table_, right->type)
                    ? "an action stands alone: a predicate or an if is its condition"
                    : "";
    return nullptr;
  }
  typed::LogicalOperator operation = typed::LogicalOperator::ExclusiveOr;
  if (binary.op == BinaryOperator::LogicalAnd) {
    operation = typed::LogicalOperator::And;
  } else if (binary.op == BinaryOperator::LogicalOr) {
    operation = typed::LogicalOperator::Or;
  }
  left = typed::calculated(table_, std::move(left));
  right = typed::calculated(table_, std::move(right));
  const auto* left_constant = typed::as_integer(*left);
  const auto* right_constant = typed::as_integer(*right);
  if (left_constant != nullptr && right_constant != nullptr) {
    const bool is_left = left_constant->value != 0;
    const bool is_right = right_constant->value != 0;
    const bool is_true = operation == typed::LogicalOperator::And ? is_left && is_right
                         : operation == typed::LogicalOperator::Or
                             ? is_left || is_right
                             : is_left != is_right;
    return integer(is_true ? 1 : 0, table_.int_type(), span);
  }
  return typed::make(table_.int_type(), span,
                     typed::Logical{operation, std::move(left), std::move(right)});
}

// ---------------------------------------------------------------- others

bool ExpressionChecker::check_no_actions(const Expression& left,
                                         const Expression& right,
                                         std::string_view operation) {
  // An error in the call itself is reported first.
  const std::array operands = {&chosen(left), &chosen(right)};
  for (const Expression* operand : operands) {
    if (is_action(*operand) && check(*operand) == nullptr) {
      return false;
    }
  }
  for (const Expression* operand : operands) {
    if (is_action(*operand)) {
      error("D_OP_ACT", operand->span,
            fmt::format("an action cannot be an operand of operator {}", operation));
      return false;
    }
  }
  return true;
}

ExpressionPointer ExpressionChecker::comma(const Binary& binary, Span span) {
  if (!check_no_actions(*binary.left, *binary.right, ",")) {
    return nullptr;
  }
  ExpressionPointer left = check(*binary.left);
  ExpressionPointer right = check(*binary.right);
  if (left == nullptr || right == nullptr) {
    return nullptr;
  }
  if (is_dynamic(left->type) || is_dynamic(right->type)) {
    error("D_OP_DYN", span, "operands of operator , cannot be of dynamic type");
    return nullptr;
  }
  const TypeId named_as = right->type;
  right = typed::calculated(table_, std::move(right));
  const TypeId type = right->type;
  return named(typed::make(type, span, typed::Comma{std::move(left), std::move(right)}),
               named_as);
}

ExpressionPointer ExpressionChecker::conditional(const Conditional& conditional,
                                                 Span span) {
  if (!check_no_actions(*conditional.if_true, *conditional.if_false, "?:")) {
    return nullptr;
  }
  ExpressionPointer condition =
      check_condition(*conditional.condition, "D_OP_SCALAR", "the condition of ?:");
  ExpressionPointer left = check(*conditional.if_true);
  ExpressionPointer right = check(*conditional.if_false);
  if (condition == nullptr || left == nullptr || right == nullptr) {
    return nullptr;
  }
  if (is_dynamic(left->type) || is_dynamic(right->type)) {
    error("D_OP_DYN", span, "operands of operator ?: cannot be of dynamic type");
    return nullptr;
  }
  const auto common = common_pointer(table_, operand_type(*left), operand_type(*right));
  TypeId type = left->type;
  TypeId named_as = left->type;
  if (table_.is_integer(left->type) && table_.is_integer(right->type)) {
    const TypeId common_integer = common_type(*left, *right);
    // Two operands of the same type keep their type, except bit-fields.
    const bool are_same = table_.is_compatible(left->type, right->type) &&
                          common_integer == promoted(table_, left->type);
    named_as = are_same ? left->type : named_type(*left, *right);
    if (!are_same || table_.size_of(type) < table_.size_of(table_.int_type())) {
      type = common_integer;
    }
  } else if (is_string_compatible(table_, left->type) &&
             is_string_compatible(table_, right->type) &&
             (table_.is_string(left->type) || table_.is_string(right->type))) {
    type = table_.string_type();
  } else if (!table_.is_compatible(left->type, right->type)) {
    if (!common) {
      report_incompatible(":", span, *left, *right);
      return nullptr;
    }
    type = *common;
  }
  if (is_array(table_, type)) {
    type = table_.pointer_to(*target_of(table_, type));
  }
  left = arithmetic_operand(std::move(left), type);
  right = arithmetic_operand(std::move(right), type);
  if (const auto* constant = typed::as_integer(*condition)) {
    return constant->value != 0 ? std::move(left) : std::move(right);
  }
  return named(typed::make(type, span,
                           typed::Conditional{std::move(condition), std::move(left),
                                              std::move(right)}),
               named_as);
}

}  // namespace kinst::d
