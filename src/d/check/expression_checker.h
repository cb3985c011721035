// Expressions: names resolved, types found, conversions made explicit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/check/check.h"
#include "d/check/declared_names.h"
#include "d/check/environment.h"
#include "d/check/probed_code.h"
#include "d/check/type_resolver.h"
#include "d/check/type_rules.h"
#include "d/syntax/ast.h"
#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// A translator applied to a value, not yet to a member.
struct Translation {
  const Translator* translator = nullptr;
  typed::ExpressionPointer source;  ///< null after an error, which has been reported
  bool is_pointer = false;          ///< `xlate <T *> (…)`
};

/// What computes an arithmetic operator or a comparison.
typed::BinaryOperator typed_operator(BinaryOperator operation);

/// What is asked for names that the program has not declared.
struct Outside {
  Environment& environment;
  ProbedCode& code;
};

/// Checks the expressions of one compilation. A null result means that an error has
/// been reported.
class ExpressionChecker {
 public:
  ExpressionChecker(const CheckOptions& options, Names& names, const Outside& outside,
                    types::TypeTable& table, Diagnostics& diagnostics);

  /// The probe description whose clause is checked; null outside of clauses.
  void enter(const ProbeContext* probe) { probe_ = probe; }

  /// The expression that `expression` stands for. For `c ? a : b` with an integer
  /// constant c, this is the operand that c chooses. It may be anything that is allowed
  /// in the place of the whole expression, and the other operand is not checked. Any
  /// other expression stands for itself.
  /// Source: libdtrace chooses when it parses (dt_node_op3).
  const Expression& chosen(const Expression& expression);

  /// Checks an expression that has a value. An aggregation or a translation yields a
  /// value of dynamic type, and an action a value of type void. Neither type is
  /// accepted where it could do harm; reject_leftovers() finds those that remain.
  typed::ExpressionPointer check(const Expression& expression);
  /// As check(), but stack(), sym() and their relatives are allowed.
  typed::ExpressionPointer check_symbolic(const Expression& written);
  /// Checks a condition. If its value is not scalar, reports `tag`.
  typed::ExpressionPointer check_condition(const Expression& expression,
                                           std::string_view tag, std::string_view what);
  /// Whether every part of a checked expression is a value. Reports actions that are
  /// called from expressions (D_CG_EXPR), and aggregations and translations that are
  /// used as values (D_CG_DYN).
  bool reject_leftovers(const typed::Expression& expression);

  /// The value as `type`; nothing is checked.
  typed::ExpressionPointer convert(typed::ExpressionPointer value, types::TypeId type);
  /// Converts a value to `type`, to which it is_assignable(). If `type` and the value
  /// can both be taken for strings, converts it to a string instead.
  typed::ExpressionPointer pass(typed::ExpressionPointer value, types::TypeId type);

  /// The values of an associative array's keys (D_KEY_TYPE).
  std::optional<std::vector<typed::ExpressionPointer>> keys(
      const std::vector<Expression>& indices);
  /// Checks keys against an array's signature and converts them (D_PROTO_LEN,
  /// D_PROTO_ARG).
  bool match_keys(std::string_view array, const std::vector<types::TypeId>& key_types,
                  std::vector<typed::ExpressionPointer>& values, Span span);

  /// Checks a call's arguments against a prototype, without converting them.
  std::optional<std::vector<typed::ExpressionPointer>> check_arguments(
      const Call& call, Span span, std::string_view prototype);
  /// Converts checked arguments to the prototype's types.
  void pass_arguments(std::string_view prototype,
                      std::vector<typed::ExpressionPointer>& values);
  /// As check_arguments(), but checks only the number of arguments.
  bool check_argument_count(const Call& call, Span span, std::string_view prototype);

  [[nodiscard]] bool is_dynamic(types::TypeId type) const {
    return type == dynamic_type_;
  }
  [[nodiscard]] TypeResolver& type_resolver() { return types_; }
  /// The translation that an expression means; nothing if it is not a translation.
  std::optional<Translation> translation_of(const Expression& expression);
  /// As check(), but a translation becomes a value: the struct or union with all its
  /// members, in the clause's scratch memory if a pointer to it is asked for.
  typed::ExpressionPointer check_value(const Expression& expression);
  const Translator* find_translator(types::TypeId output, OperandType input) const;

  /// Names that are bound while an inline's or a translator's expression is checked.
  struct Binding {
    std::string name;
    const typed::Expression* value = nullptr;
  };
  /// Checks `expression` as if nothing but `bindings` and the globals were visible.
  typed::ExpressionPointer check_bound(const Expression& expression,
                                       std::vector<Binding> bindings);
  std::optional<Translation> translation_bound(const Expression& expression,
                                               std::vector<Binding> bindings);
  /// A whole translation as the value of a structure, or of a pointer to one.
  typed::ExpressionPointer whole(const Translation& translation, Span span);
  typed::ExpressionPointer materialize(const Translation& translation, Span span);

 private:
  // Names (expression_checker.cpp).
  bool spend(std::uint64_t nodes, Span span);
  typed::ExpressionPointer check_node(const Expression& expression);
  typed::ExpressionPointer identifier(const Identifier& identifier, Span span);
  typed::ExpressionPointer global(const GlobalSymbol& symbol, std::string_view name,
                                  Span span);
  typed::ExpressionPointer builtin(const BuiltinInfo& info, Span span);
  /// What an unknown name may have been meant to be; empty if there is no guess.
  [[nodiscard]] std::string hint_for_unknown(std::string_view name) const;
  [[nodiscard]] std::string instead_of_register_function() const;
  [[nodiscard]] std::string instead_of_argument(
      std::optional<std::uint64_t> number) const;
  void refuse_aggregation(const std::string& name, Span span);
  void refuse_arguments(std::string_view name, std::optional<std::uint64_t> number,
                        Span span);
  [[nodiscard]] std::string_view lack_of_instruction(BuiltinOf of) const;
  bool check_builtin_is_known(const BuiltinInfo& info, Span span);
  typed::ExpressionPointer outside(std::string_view name, Span span);
  /// A variable of the traced code; nothing if there is none of that name.
  std::optional<typed::ExpressionPointer> local(std::string_view name, Span span);
  [[nodiscard]] bool names_local(std::string_view name) const;
  typed::ExpressionPointer kernel_symbol(const KernelSymbol& symbol, Span span);
  std::optional<KernelSymbolInfo> find_symbol(const KernelSymbol& symbol, Span span);
  typed::ExpressionPointer scoped(const ScopedVariable& variable, Span span);
  typed::ExpressionPointer literal(const IntegerLiteral& literal, Span span);

  // Types in expressions (type_expressions.cpp).
  typed::ExpressionPointer cast(const Cast& cast, Span span);
  typed::ExpressionPointer size_of(types::TypeId type, Span span);
  typed::ExpressionPointer size_of(const SizeofExpression& syntax, Span span);
  typed::ExpressionPointer offset_of(const Offsetof& syntax, Span span);
  typed::ExpressionPointer string_of(const Stringof& syntax, Span span);

  // Constant conditions (constant_condition.cpp).
  bool is_constant(const Expression& expression, std::uint32_t depth = 0) const;
  bool is_constant(const Identifier& identifier, std::uint32_t depth) const;
  std::optional<bool> constant_condition(const Conditional& conditional);

  // Operators (operators.cpp).
  /// The type in which D computes with one integer, and with two (common_type).
  types::TypeId promoted_type(const typed::Expression& value);
  types::TypeId common_type(const typed::Expression& left,
                            const typed::Expression& right);
  types::TypeId named_type(const typed::Expression& left,
                           const typed::Expression& right);
  /// A calculation under the type that DTrace gives it: see typed::calculated().
  typed::ExpressionPointer named(typed::ExpressionPointer calculation,
                                 types::TypeId type);
  /// As convert(), but if the type stays the same, keeps the bits of a calculation that
  /// are beyond its type (see typed_program.h).
  typed::ExpressionPointer arithmetic_operand(typed::ExpressionPointer value,
                                              types::TypeId type);
  typed::ExpressionPointer unary(const Unary& unary, Span span);
  typed::ExpressionPointer arithmetic_unary(const Unary& unary, Span span);
  typed::ExpressionPointer binary(const Binary& binary, Span span);
  typed::ExpressionPointer arithmetic(const Binary& binary, Span span);
  typed::ExpressionPointer additive(const Binary& binary, Span span);
  typed::ExpressionPointer comparison(const Binary& binary, Span span);
  typed::ExpressionPointer logical(const Binary& binary, Span span);
  typed::ExpressionPointer comma(const Binary& binary, Span span);
  typed::ExpressionPointer conditional(const Conditional& conditional, Span span);
  bool check_no_actions(const Expression& left, const Expression& right,
                        std::string_view operation);
  void report_incompatible(std::string_view operation, Span span,
                           const typed::Expression& left,
                           const typed::Expression& right);
  typed::ExpressionPointer combine(typed::BinaryOperator operation,
                                   typed::ExpressionPointer left,
                                   typed::ExpressionPointer right, types::TypeId result,
                                   Span span);
  typed::ExpressionPointer enumerator_beside(const typed::Expression& left,
                                             const Expression& right);
  typed::ExpressionPointer pointer_sum(typed::ExpressionPointer pointer,
                                       typed::ExpressionPointer index, bool subtract,
                                       Span span);
  typed::ExpressionPointer pointer_difference(typed::ExpressionPointer left,
                                              typed::ExpressionPointer right,
                                              Span span);

  // Assignments (assignments.cpp).
  typed::ExpressionPointer assignment(const Assignment& assignment, Span span);
  typed::ExpressionPointer plain_assignment(const Assignment& assignment, Span span);
  /// Checks the right side, whose type must be one that a variable can have.
  typed::ExpressionPointer assigned_value(const Assignment& assignment, Span span);
  /// Notes that an assignment failed to create its target, so that later uses of the
  /// target are not reported as well.
  void note_broken(const Expression& target);
  typed::ExpressionPointer assign(const Expression& written,
                                  typed::ExpressionPointer place,
                                  typed::ExpressionPointer value, Span span);
  typed::ExpressionPointer compound_assignment(const Assignment& assignment, Span span);
  typed::ExpressionPointer increment(const Unary& unary, Span span);
  /// Checks the target of an assignment: memory, or a variable. A variable that is new
  /// is created with `type`.
  typed::ExpressionPointer target(const Expression& expression, types::TypeId type);
  /// What is assigned to, as written and as checked.
  struct Destination {
    const Expression& written;
    const typed::Expression& value;
  };
  bool check_is_writable(const Destination& place, std::string_view operation,
                         Span span);
  bool is_behind_pointer_cast(const Expression& target);
  bool check_compound_types(const Assignment& assignment, const typed::Expression& left,
                            const typed::Expression& right);

  // Memory (access.cpp).
  typed::ExpressionPointer index(const Index& index, Span span);
  typed::ExpressionPointer array_builtin(const BuiltinInfo& info, const Index& index,
                                         Span span);
  typed::ExpressionPointer argument(std::uint64_t number, Span span);
  // (probe_arguments.cpp)
  bool check_arguments_are_known(std::uint64_t number, Span span);
  std::optional<types::TypeId> argument_type(const ProbeArgument& argument,
                                             std::uint64_t number, Span span);
  typed::ExpressionPointer argument_word(std::uint32_t word, types::TypeId type,
                                         Span span);
  typed::ExpressionPointer record_argument(types::TypeId type, const RecordPlace& place,
                                           Span span);
  typed::ExpressionPointer element(typed::ExpressionPointer base, const Index& index,
                                   Span span);
  typed::ExpressionPointer associative(typed::VariableId id, const Index& index,
                                       Span span);
  typed::ExpressionPointer member(const Member& member, Span span);
  typed::ExpressionPointer member_of_translation(const Member& member,
                                                 Translation translation, Span span);
  typed::ExpressionPointer dereference(const Unary& unary, Span span);
  typed::ExpressionPointer address_of(const Unary& unary, Span span);
  typed::ExpressionPointer memory_at(typed::ExpressionPointer pointer, Span span);
  typed::ExpressionPointer field(typed::ExpressionPointer address,
                                 const types::MemberPlace& place,
                                 types::AddressSpace space, Span span);
  void report_no_member(types::TypeId record, std::string_view tag,
                        const std::string& name, Span span);
  static typed::ExpressionPointer load(typed::ExpressionPointer address,
                                       types::TypeId type, types::AddressSpace space,
                                       Span span);
  /// The address of a by-reference value, as a pointer to `target`.
  typed::ExpressionPointer decay(typed::ExpressionPointer value, types::TypeId target);
  static typed::ExpressionPointer as_pointer(typed::ExpressionPointer address,
                                             types::TypeId type);
  typed::ExpressionPointer add_offset(typed::ExpressionPointer address,
                                      std::uint64_t offset);
  types::TypeId completed_record(types::TypeId type) { return types_.completed(type); }

  // Inlines and translators (substitution.cpp).
  typed::ExpressionPointer inlined(const InlineSymbol& symbol, Span span);
  typed::ExpressionPointer inlined(const InlineSymbol& symbol, const Index& index,
                                   Span span);
  Translation translate(typed::ExpressionPointer source, types::TypeId output,
                        Span span);
  const ProbeArgument* translated_argument(const Index& index) const;
  std::optional<Translation> translation_of_node(const Expression& written);
  std::optional<Translation> translation_of_member(const Member& member);
  std::optional<Translation> translation_of_index(const Index& index, Span span);
  std::optional<std::vector<typed::ExpressionPointer>> inline_arguments(
      const InlineSymbol& symbol, const Index& index, Span span);
  const TranslatorMember* find_member(const Translator& translator,
                                      const Member& member);

  // Calls (calls.cpp).
  typed::ExpressionPointer call(const Call& call, Span span);
  typed::ExpressionPointer subroutine(const Call& call, const SubroutineInfo& info,
                                      Span span);
  bool check_argument(const Call& call, std::size_t number, std::string_view parameter,
                      const typed::Expression& value);
  bool check_subroutine(const SubroutineInfo& info,
                        const std::vector<typed::ExpressionPointer>& arguments);
  typed::ExpressionPointer symbolic(const Call& call, const SymbolicInfo& info,
                                    Span span);
  typed::ExpressionPointer stack(const SymbolicInfo& info,
                                 const std::vector<typed::ExpressionPointer>& arguments,
                                 Span span);

  Diagnostic& error(std::string_view tag, Span span, std::string message) {
    return diagnostics_.error(tag, span, std::move(message));
  }
  [[nodiscard]] std::string type_name(const typed::Expression& value) const {
    return table_.name_of(value.type);
  }
  [[nodiscard]] const GlobalSymbol* find_global(std::string_view name) const {
    return find(names_.globals, name);
  }
  [[nodiscard]] const Binding* find_binding(std::string_view name) const;
  static typed::ExpressionPointer integer(std::uint64_t value, types::TypeId type,
                                          Span span);

  const CheckOptions& options_;
  Names& names_;
  Environment& environment_;
  ProbedCode& code_;
  types::TypeTable& table_;
  Diagnostics& diagnostics_;
  TypeResolver types_;
  types::TypeId dynamic_type_;
  const ProbeContext* probe_ = nullptr;
  std::vector<Binding> bindings_;
  /// The element whose address is being taken. It may be the one behind the array's
  /// last element (C11 6.5.6).
  const Index* addressed_ = nullptr;
  /// The targets of the assignments whose right side is being checked. Such a variable
  /// may not exist yet. Empty for a target that is not an identifier.
  std::vector<std::string> unborn_;
  std::uint64_t nodes_ = 0;  ///< checked or copied so far
  std::uint32_t depth_ = 0;  ///< of check()
  bool is_exhausted_ = false;
};

/// A hint for a character constant that was meant as a string: "hello" for 'hello'.
std::string hint_for_text(const IntegerLiteral& letters);

/// Type and constness of a checked value, for the rules.
OperandType operand_type(const typed::Expression& value);
/// is_lvalue(): whether the value is a variable or memory. is_writable(): whether D may
/// write it, which holds for D's own variables and for memory that they point to.
bool is_lvalue(const types::TypeTable& table, const typed::Expression& value);
bool is_writable(const types::TypeTable& table, const typed::Expression& value);

}  // namespace kinst::d
