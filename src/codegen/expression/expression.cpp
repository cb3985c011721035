// Generates the nodes of the typed tree; each leaves its value in R0. Variables and
// memory are in variable.cpp and memory.cpp, built-in variables in builtin.cpp,
// subroutines in subroutine.cpp.
#include "codegen/expression/expression.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "codegen/expression/builtin_code.h"
#include "codegen/expression/local.h"
#include "codegen/expression/memory_code.h"
#include "codegen/expression/string.h"
#include "codegen/expression/subroutine_code.h"
#include "codegen/expression/variable.h"
#include "d/typed/typed_tree.h"

namespace kinst::codegen {
namespace {

using d::typed::BinaryOperator;

bool is_signed_operation(const Scope& scope, types::TypeId type) {
  return scope.types.is_signed(type);
}

std::uint64_t integer_bytes(const Scope& scope, types::TypeId type) {
  return scope.types.size_of(type).value_or(8);
}

// The expression as a constant; null if it is none. Generating a constant touches no
// register but R0, so the other operand need not be saved.
const d::typed::IntegerValue* constant_of(const d::typed::Expression& expression) {
  return std::get_if<d::typed::IntegerValue>(&expression.node);
}

// left to R1, right to R2.
void generate_operands(const d::typed::Expression& left,
                       const d::typed::Expression& right, const Scope& scope,
                       Emitter& out) {
  generate_value(left, scope, out);
  if (const auto* constant = constant_of(right)) {
    out.code().emit(bpf::mov(Register::R1, Register::R0));
    out.code().load_constant(Register::R2, constant->value);
    return;
  }
  const Temporary saved = out.saved(Register::R0);
  generate_value(right, scope, out);
  out.code().emit(bpf::mov(Register::R2, Register::R0));
  out.load(Register::R1, saved);
}

Condition condition_of(BinaryOperator operation, bool is_signed) {
  switch (operation) {
    case BinaryOperator::Equal:
      return Condition::Equal;
    case BinaryOperator::NotEqual:
      return Condition::NotEqual;
    case BinaryOperator::Less:
      return is_signed ? Condition::SignedLess : Condition::Less;
    case BinaryOperator::LessEqual:
      return is_signed ? Condition::SignedLessOrEqual : Condition::LessOrEqual;
    case BinaryOperator::Greater:
      return is_signed ? Condition::SignedGreater : Condition::Greater;
    default:
      return is_signed ? Condition::SignedGreaterOrEqual : Condition::GreaterOrEqual;
  }
}

// R0 = R1 CONDITION R2 ? 1 : 0
void generate_comparison(Condition condition, Emitter& out) {
  const Label holds = out.code().label();
  out.code().emit(bpf::mov(Register::R0, 1));
  out.code().jump_if(Register::R1, condition, Register::R2, holds);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(holds);
}

// R0 = R1 / R2 or R1 % R2, or the clause fails.
void generate_division(BinaryOperator operation, bool is_signed, Emitter& out) {
  const Label divisible = out.code().label();
  out.code().jump_if(Register::R2, Condition::NotEqual, 0, divisible);
  out.code().emit(bpf::mov(Register::R1, 0));
  out.fault(KINST_FAULT_DIVZERO);
  out.code().bind(divisible);
  const bool is_quotient = operation == BinaryOperator::Divide;
  if (is_signed) {
    // BPF divides unsigned numbers only; the runtime handles the signs.
    out.code().call(is_quotient ? "kinst_divide_signed" : "kinst_modulo_signed");
    return;
  }
  out.code().emit(bpf::mov(Register::R0, Register::R1));
  out.code().emit(bpf::alu(is_quotient ? Arithmetic::Divide : Arithmetic::Modulo,
                           Register::R0, Register::R2));
}

Arithmetic arithmetic_of(BinaryOperator operation, bool is_signed) {
  switch (operation) {
    case BinaryOperator::Add:
      return Arithmetic::Add;
    case BinaryOperator::Subtract:
      return Arithmetic::Subtract;
    case BinaryOperator::Multiply:
      return Arithmetic::Multiply;
    case BinaryOperator::ShiftLeft:
      return Arithmetic::ShiftLeft;
    case BinaryOperator::ShiftRight:
      return is_signed ? Arithmetic::ShiftRightSigned : Arithmetic::ShiftRight;
    case BinaryOperator::And:
      return Arithmetic::And;
    case BinaryOperator::Or:
      return Arithmetic::Or;
    default:
      return Arithmetic::Xor;
  }
}

// Whether operands of an unsigned type can give a result beyond it.
bool may_carry(BinaryOperator operation) {
  return operation == BinaryOperator::Add || operation == BinaryOperator::Subtract ||
         operation == BinaryOperator::Multiply ||
         operation == BinaryOperator::ShiftLeft;
}

// Truncates R0, the result of an operation of type `type`, where d::cut_result() says
// so.
void cut_unsigned(types::TypeId type, const Scope& scope, Emitter& out) {
  if (!is_signed_operation(scope, type)) {
    extend(out, Register::R0, integer_bytes(scope, type), false);
  }
}

void generate(const d::typed::Binary& node, const d::typed::Expression& expression,
              const Scope& scope, Emitter& out) {
  if (d::typed::is_comparison(node.operation) &&
      scope.types.is_string(node.left->type)) {
    generate_operands(*node.left, *node.right, scope, out);
    compare_strings(out);
    out.code().emit(bpf::mov(Register::R1, Register::R0));
    out.code().emit(bpf::mov(Register::R2, 0));
    generate_comparison(condition_of(node.operation, true), out);
    return;
  }
  generate_operands(*node.left, *node.right, scope, out);
  if (d::typed::is_comparison(node.operation)) {
    const bool is_signed = is_signed_operation(scope, node.left->type);
    generate_comparison(condition_of(node.operation, is_signed), out);
    return;
  }
  generate_operation(node.operation, expression.type, scope, out);
  if (may_carry(node.operation)) {
    cut_unsigned(expression.type, scope, out);
  }
}

void generate(const d::typed::Unary& node, const d::typed::Expression& expression,
              const Scope& scope, Emitter& out) {
  generate_value(*node.operand, scope, out);
  switch (node.operation) {
    case d::typed::UnaryOperator::Negate:
      out.code().emit(bpf::negate(Register::R0));
      cut_unsigned(expression.type, scope, out);
      break;
    case d::typed::UnaryOperator::Complement:
      out.code().emit(bpf::alu(Arithmetic::Xor, Register::R0, -1));
      cut_unsigned(expression.type, scope, out);
      break;
    case d::typed::UnaryOperator::LogicalNot:
      out.code().emit(bpf::mov(Register::R1, Register::R0));
      out.code().emit(bpf::mov(Register::R2, 0));
      generate_comparison(Condition::Equal, out);
      return;
  }
}

// R0 = R0 != 0 ? 1 : 0
void generate_truth(Emitter& out) {
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  out.code().emit(bpf::mov(Register::R2, 0));
  generate_comparison(Condition::NotEqual, out);
}

void generate(const d::typed::Logical& node, const Scope& scope, Emitter& out) {
  if (node.operation == d::typed::LogicalOperator::ExclusiveOr) {
    generate_value(*node.left, scope, out);
    generate_truth(out);
    const Temporary left = out.saved(Register::R0);
    generate_value(*node.right, scope, out);
    generate_truth(out);
    out.load(Register::R1, left);
    out.code().emit(bpf::alu(Arithmetic::Xor, Register::R0, Register::R1));
    return;
  }
  const bool is_and = node.operation == d::typed::LogicalOperator::And;
  const Label decided = out.code().label();
  generate_value(*node.left, scope, out);
  generate_truth(out);
  out.code().jump_if(Register::R0, is_and ? Condition::Equal : Condition::NotEqual, 0,
                     decided);
  generate_value(*node.right, scope, out);
  generate_truth(out);
  out.code().bind(decided);
}

void generate(const d::typed::Conditional& node, const Scope& scope, Emitter& out) {
  const Label otherwise = out.code().label();
  const Label done = out.code().label();
  generate_condition(*node.condition, scope, out, otherwise);
  generate_value(*node.then_value, scope, out);
  out.code().jump(done);
  out.code().bind(otherwise);
  generate_value(*node.else_value, scope, out);
  out.code().bind(done);
}

// Whether `to` can hold each value of the narrower type `from`. Calculations may leave
// values beyond their type (d::typed::may_exceed_type), but only for types beyond int,
// and `from` is too wide then.
bool holds_all_of(types::TypeId to, types::TypeId from, const Scope& scope) {
  return scope.types.is_integer(to) && scope.types.is_integer(from) &&
         integer_bytes(scope, from) < integer_bytes(scope, to) &&
         (!is_signed_operation(scope, from) || is_signed_operation(scope, to));
}

void generate(const d::typed::Convert& node, const d::typed::Expression& expression,
              const Scope& scope, Emitter& out) {
  generate_value(*node.operand, scope, out);
  if (scope.types.is_string(expression.type)) {
    to_string(node.operand->type, scope, out);
  } else if (!scope.types.is_by_reference(expression.type) &&
             !holds_all_of(expression.type, node.operand->type, scope)) {
    extend(out, Register::R0, integer_bytes(scope, expression.type),
           is_signed_operation(scope, expression.type));
  }
}

}  // namespace

void generate_operation(BinaryOperator operation, types::TypeId type,
                        const Scope& scope, Emitter& out) {
  const bool is_signed = is_signed_operation(scope, type);
  if (operation == BinaryOperator::Divide || operation == BinaryOperator::Modulo) {
    generate_division(operation, is_signed, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, Register::R1));
    out.code().emit(
        bpf::alu(arithmetic_of(operation, is_signed), Register::R0, Register::R2));
  }
}

void generate_value(const d::typed::Expression& expression, const Scope& scope,
                    Emitter& out) {
  out.at(expression.span);
  std::visit(
      Overloaded{
          [&](const d::typed::IntegerValue& node) {
            out.code().load_constant(Register::R0, node.value);
          },
          [&](const d::typed::StringValue& node) {
            literal_string(node.text, scope, out);
          },
          [&](const d::typed::BuiltinValue&) {
            generate_builtin(expression, scope, out);
          },
          [&](const d::typed::VariableValue& node) {
            generate_variable(node, scope, out);
          },
          [&](const d::typed::Load& node) {
            generate_load(node, expression.type, scope, out);
          },
          [&](const d::typed::VariableAddress& node) {
            generate_variable_address(node.variable, scope, out);
          },
          [&](const d::typed::LocalValue& node) {
            generate_local(node, expression, scope, out);
          },
          [&](const d::typed::Unary& node) { generate(node, expression, scope, out); },
          [&](const d::typed::Binary& node) { generate(node, expression, scope, out); },
          [&](const d::typed::Logical& node) { generate(node, scope, out); },
          [&](const d::typed::Conditional& node) { generate(node, scope, out); },
          [&](const d::typed::Comma& node) {
            generate_value(*node.left, scope, out);
            generate_value(*node.right, scope, out);
          },
          [&](const d::typed::Convert& node) {
            generate(node, expression, scope, out);
          },
          [&](const d::typed::Assign& node) { generate_assignment(node, scope, out); },
          [&](const d::typed::Increment& node) {
            generate_increment(node, scope, out);
          },
          [&](const d::typed::SubroutineCall& node) {
            generate_subroutine(node, expression, scope, out);
          },
          [&](const d::typed::RecordValue& node) {
            generate_record(node, expression.type, scope, out);
          },
          [&](const d::typed::SymbolicValue& node) {
            // As a number, a symbol is its address. Stacks occur only in records and
            // keys.
            if (node.address != nullptr) {
              generate_value(*node.address, scope, out);
            } else {
              out.code().emit(bpf::mov(Register::R0, 0));
            }
          }},
      expression.node);
}

void generate_condition(const d::typed::Expression& expression, const Scope& scope,
                        Emitter& out, Label otherwise) {
  generate_value(expression, scope, out);
  out.code().jump_if(Register::R0, Condition::Equal, 0, otherwise);
}

}  // namespace kinst::codegen
