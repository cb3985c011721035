#include "codegen/plan/needs.h"

#include <variant>

#include "codegen/plan/walk.h"

namespace kinst::codegen {
namespace {

void add(const d::typed::Expression& expression, ProgramNeeds& needs) {
  if (const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node)) {
    const d::BuiltinInfo& info = d::builtin_info(builtin->builtin);
    needs.needs.add(info.needs);
    if (info.index == d::BuiltinIndex::UserRegister) {
      needs.user_registers.insert(
          std::get<d::typed::IntegerValue>(builtin->index->node).value);
    }
  } else if (const auto* call =
                 std::get_if<d::typed::SubroutineCall>(&expression.node)) {
    needs.needs.add(d::subroutine_info(call->subroutine).needs);
  } else if (const auto* symbolic =
                 std::get_if<d::typed::SymbolicValue>(&expression.node)) {
    needs.needs.add(d::symbolic_info(symbolic->kind).needs);
  } else if (std::holds_alternative<d::typed::LocalValue>(expression.node)) {
    needs.needs.add({d::Need::Operands});
  }
}

void add(const d::typed::Clause& clause, ProgramNeeds& needs) {
  for_each_expression(
      clause, [&](const d::typed::Expression& expression) { add(expression, needs); });
}

}  // namespace

ProgramNeeds needs_of(const d::typed::Clause& clause) {
  ProgramNeeds needs;
  add(clause, needs);
  return needs;
}

ProgramNeeds needs_of(const d::typed::Program& program) {
  ProgramNeeds needs;
  for (const d::typed::Clause& clause : program.clauses) {
    add(clause, needs);
  }
  return needs;
}

std::optional<std::uint64_t> argument_number(const d::typed::BuiltinValue& value) {
  const d::BuiltinInfo& info = d::builtin_info(value.builtin);
  if (info.index == d::BuiltinIndex::Argument) {
    return std::get<d::typed::IntegerValue>(value.index->node).value;
  }
  return info.argument;
}

}  // namespace kinst::codegen
