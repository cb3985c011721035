// Clauses and their statements: actions, aggregations, and the order in which they may
// stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/check/check.h"
#include "d/check/declared_names.h"
#include "d/check/expression_checker.h"
#include "d/syntax/ast.h"
#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d {

class StatementChecker {
 public:
  StatementChecker(const CheckOptions& options, Names& names,
                   ExpressionChecker& expressions, types::TypeTable& table,
                   Diagnostics& diagnostics)
      : options_(options),
        names_(names),
        expressions_(expressions),
        table_(table),
        diagnostics_(diagnostics) {}

  /// Checks one clause for one of its descriptions. The caller has told the expression
  /// checker the description's probes. If the clause has errors, they are reported, and
  /// the result must not be used.
  typed::Clause check(const Clause& clause, std::size_t description);

  /// One diagnostic for each use of something that only the option destructive allows.
  [[nodiscard]] const std::vector<Diagnostic>& destructive_uses() const {
    return destructive_uses_;
  }

 private:
  /// The kinds of action that can have run before a statement. Some kinds exclude
  /// others.
  struct Done {
    bool speculate = false;
    bool commit = false;
    bool data = false;
    bool aggregation = false;

    void join(const Done& other);
  };

  std::vector<typed::Statement> statements(const std::vector<Statement>& statements);
  void statement(const Statement& statement, std::vector<typed::Statement>& result);
  std::optional<typed::Statement> if_statement(const If& statement, Span span);
  std::optional<typed::Statement> expression(const Expression& written);
  typed::ExpressionPointer predicate(const Clause& clause);
  bool check_order(ActionRole role, Span span);
  void note_destructive(std::string_view name, Span span);
  bool check_subroutines_order(const typed::Expression& expression);

  // Actions (actions.cpp).
  std::optional<typed::Statement> action(const Call& call, const ActionInfo& info,
                                         Span span);
  std::optional<typed::ActionCall> arguments_of(const Call& call,
                                                const ActionInfo& info, Span span);
  std::optional<typed::ActionCall> printf(const Call& call, const ActionInfo& info,
                                          Span span);
  std::optional<typed::ActionCall> printa(const Call& call, const ActionInfo& info,
                                          Span span);
  std::optional<typed::ActionCall> of_aggregation(const Call& call,
                                                  const ActionInfo& info, Span span);
  std::optional<typed::ActionCall> setopt(const Call& call, const ActionInfo& info,
                                          Span span);
  std::optional<typed::ActionCall> plain(const Call& call, const ActionInfo& info,
                                         Span span);
  [[nodiscard]] bool is_positive_constant(const typed::Expression& value) const;
  bool check_trace(const typed::Expression& value);
  bool check_printm(const std::vector<typed::ExpressionPointer>& arguments);
  bool check_tracemem(const std::vector<typed::ExpressionPointer>& arguments);
  void size_printed_memory(std::vector<typed::ExpressionPointer>& arguments);
  void load_traced_memory(std::vector<typed::ExpressionPointer>& arguments);
  bool check_print(typed::ExpressionPointer& value);
  typed::ExpressionPointer whole_text(typed::ExpressionPointer value);
  std::optional<typed::AggregationId> named_aggregation(const Expression& written,
                                                        std::string_view tag,
                                                        std::string_view function,
                                                        std::size_t number);
  bool check_printa_format(std::string_view format, Span span, typed::AggregationId id);
  bool check_same_keys(typed::AggregationId first, typed::AggregationId other,
                       Span span);

  // Aggregations (aggregations.cpp).
  std::optional<typed::Statement> aggregate(const AggregationReference& reference,
                                            const Assignment& assignment, Span span);
  std::optional<std::vector<typed::ExpressionPointer>> aggregation_keys(
      const AggregationReference& reference);
  std::optional<typed::AggregationId> aggregation(
      const AggregationReference& reference, record::AggregatingFunction function,
      std::vector<typed::ExpressionPointer>& keys, Span span);
  std::optional<typed::AggregationId> match_aggregation(
      typed::AggregationId id, const AggregationReference& reference,
      record::AggregatingFunction function, std::vector<typed::ExpressionPointer>& keys,
      Span span);
  bool set_parameters(typed::Aggregation& aggregation,
                      const std::vector<typed::ExpressionPointer>& arguments,
                      Span span);
  std::optional<std::vector<std::int64_t>> linear_parameters(
      const std::vector<typed::ExpressionPointer>& arguments, Span span);
  std::optional<std::vector<std::int64_t>> log_linear_parameters(
      const std::vector<typed::ExpressionPointer>& arguments);
  bool check_magnitudes(const std::vector<std::int64_t>& parameters, Span span);
  bool check_log_linear_steps(const std::vector<std::int64_t>& parameters, Span span);
  bool check_same_parameters(const typed::Aggregation& aggregation,
                             const std::vector<std::int64_t>& parameters, Span span);

  Diagnostic& error(std::string_view tag, Span span, std::string message) {
    return diagnostics_.error(tag, span, std::move(message));
  }

  const CheckOptions& options_;
  Names& names_;
  ExpressionChecker& expressions_;
  types::TypeTable& table_;
  Diagnostics& diagnostics_;
  Done done_;
  std::vector<Diagnostic> destructive_uses_;
};

}  // namespace kinst::d
