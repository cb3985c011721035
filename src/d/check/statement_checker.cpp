// Clauses, their predicates, and the order of actions around speculations.
#include "d/check/statement_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "d/tables/unsupported.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;

namespace {

bool has_undefined_name(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.all(), [](const Diagnostic& diagnostic) {
    return diagnostic.tag == "D_IDENT_UNDEF" || diagnostic.tag == "D_VAR_UNDEF";
  });
}

bool only_speculates(const std::vector<typed::Statement>& statements) {
  return std::ranges::all_of(statements, [](const typed::Statement& statement) {
    const auto* action = std::get_if<typed::ActionCall>(&statement.node);
    return action != nullptr &&
           action_info(action->action).role == ActionRole::Speculate;
  });
}

}  // namespace

// The actions are checked before the predicate, because more often they give a name its
// type. If the predicate gives it, as in `/x++/ { trace(x); }`, the predicate is
// checked first.
typed::Clause StatementChecker::check(const Clause& clause, std::size_t description) {
  typed::Clause result{.description = description, .span = clause.span};
  const auto check_body = [&] {
    done_ = {};
    result.statements =
        clause.body ? statements(*clause.body) : std::vector<typed::Statement>();
  };
  const auto broken_before = names_.broken;
  check_body();
  if (clause.predicate) {
    if (has_undefined_name(diagnostics_)) {
      diagnostics_ = {};
      names_.broken = broken_before;  // what is still unknown is to be told
      result.predicate = predicate(clause);
      check_body();
    } else {
      result.predicate = predicate(clause);
    }
  }
  result.is_default = only_speculates(result.statements);
  return result;
}

ExpressionPointer StatementChecker::predicate(const Clause& clause) {
  return expressions_.check_condition(*clause.predicate, "D_PRED_SCALAR",
                                      "a predicate's result");
}

std::vector<typed::Statement> StatementChecker::statements(
    const std::vector<Statement>& statements) {
  std::vector<typed::Statement> result;
  for (const Statement& each : statements) {
    statement(each, result);
  }
  return result;
}

void StatementChecker::statement(const Statement& statement,
                                 std::vector<typed::Statement>& result) {
  std::optional<typed::Statement> checked;
  if (const auto* simple = std::get_if<ExpressionStatement>(&statement.node)) {
    checked = expression(simple->expression);
  } else if (const auto* branches = std::get_if<If>(&statement.node)) {
    checked = if_statement(*branches, statement.span);
  }
  if (checked) {
    result.push_back(std::move(*checked));
  }
}

std::optional<typed::Statement> StatementChecker::if_statement(const If& statement,
                                                               Span span) {
  typed::If result;
  result.condition = expressions_.check_condition(statement.condition, "D_PRED_SCALAR",
                                                  "the condition of an if");
  const Done before = done_;
  result.then_branch = statements(statement.then_branch);
  const Done after_then = std::exchange(done_, before);
  result.else_branch = statements(statement.else_branch);
  done_.join(after_then);
  if (result.condition == nullptr) {
    return std::nullopt;
  }
  return typed::Statement{.span = span, .node = std::move(result)};
}

std::optional<typed::Statement> StatementChecker::expression(
    const Expression& written) {
  const Expression& expression = expressions_.chosen(written);
  const Span span = expression.span;
  if (const auto* call = std::get_if<Call>(&expression.node)) {
    if (const auto info = find_action(call->function)) {
      return action(*call, *info, span);
    }
    if (find_symbolic(call->function)) {
      ExpressionPointer value = expressions_.check_symbolic(expression);
      if (value == nullptr || !check_order(ActionRole::Data, span)) {
        return std::nullopt;
      }
      typed::ActionCall trace{.action = Action::Trace};
      trace.arguments.push_back(std::move(value));
      return typed::Statement{.span = span, .node = std::move(trace)};
    }
    if (const auto info = find_unsupported(call->function);
        info &&
        !check_order(info->is_destructive ? ActionRole::Destructive : ActionRole::Data,
                     span)) {
      return std::nullopt;
    }
    if (record::find_aggregating_function(call->function)) {
      error("D_CG_EXPR", span,
            fmt::format("{}() gives its result to an aggregation only", call->function))
          .hint = fmt::format("as in @a = {}({})", call->function,
                              call->arguments.empty() ? "" : "…");
      return std::nullopt;
    }
  }
  if (const auto* assignment = std::get_if<Assignment>(&expression.node)) {
    if (const auto* reference =
            std::get_if<AggregationReference>(&assignment->target->node)) {
      auto statement = aggregate(*reference, *assignment, span);
      if (!statement) {
        names_.broken.insert("@" + reference->name);
      }
      return statement;
    }
  }
  if (const auto* reference = std::get_if<AggregationReference>(&expression.node)) {
    if (reference->keys.empty() && expressions_.check(expression) == nullptr) {
      return std::nullopt;
    }
    error("D_AGG_NULL", span,
          fmt::format("@{} by itself does nothing", reference->name));
    return std::nullopt;
  }
  ExpressionPointer value = expressions_.check(expression);
  if (value == nullptr || !expressions_.reject_leftovers(*value) ||
      !check_subroutines_order(*value)) {
    return std::nullopt;
  }
  return typed::Statement{.span = span,
                          .node = typed::ExpressionStatement{std::move(value)}};
}

// ---------------------------------------------------------------- order

void StatementChecker::Done::join(const Done& other) {
  speculate = speculate || other.speculate;
  commit = commit || other.commit;
  data = data || other.data;
  aggregation = aggregation || other.aggregation;
}

bool StatementChecker::check_order(ActionRole role, Span span) {
  const auto refuse = [&](std::string_view tag, std::string_view message) {
    error(tag, span, std::string(message));
    return false;
  };
  const bool has_recorded = done_.data || done_.aggregation;
  switch (role) {
    case ActionRole::Commit:
      if (done_.commit) {
        return refuse("D_COMM_COMM", "commit() may not follow commit()");
      }
      if (has_recorded) {
        return refuse("D_COMM_DREC", "commit() may not follow what records data");
      }
      done_.commit = true;
      return true;
    case ActionRole::Discard:
      return true;
    case ActionRole::Speculate:
      if (done_.speculate) {
        return refuse("D_SPEC_SPEC", "speculate() may not follow speculate()");
      }
      if (done_.commit) {
        return refuse("D_SPEC_COMM", "speculate() may not follow commit()");
      }
      if (has_recorded) {
        return refuse("D_SPEC_DREC", "speculate() may not follow what records data");
      }
      done_.speculate = true;
      return true;
    case ActionRole::Aggregation:
      if (done_.commit) {
        return refuse("D_AGG_COMM", "aggregations may not follow commit()");
      }
      if (done_.speculate) {
        return refuse("D_AGG_SPEC", "aggregations may not follow speculate()");
      }
      done_.aggregation = true;
      return true;
    case ActionRole::Destructive:
      if (done_.speculate) {
        return refuse("D_ACT_SPEC", "destructive actions may not follow speculate()");
      }
      return true;  // they count as no data, as in libdtrace's dt_stmt_append()
    case ActionRole::Exit:
      if (done_.speculate) {
        return refuse("D_EXIT_SPEC", "exit() may not follow speculate()");
      }
      break;
    case ActionRole::Data:
      break;
  }
  if (done_.commit) {
    return refuse("D_DREC_COMM", "what records data may not follow commit()");
  }
  done_.data = true;
  return true;
}

// Other faults are told first: this one is about the command, not the program.
void StatementChecker::note_destructive(std::string_view name, Span span) {
  if (options_.destructive) {
    return;
  }
  destructive_uses_.push_back(
      {.tag = "D_DESTRUCTIVE",
       .span = span,
       .message = fmt::format(
           "{}() is destructive, and destructive actions are not allowed", name),
       .hint = "-w or #pragma D option destructive allows them",
       .label = {}});
}

// copyout() and its like are destructive wherever they are called.
bool StatementChecker::check_subroutines_order(const typed::Expression& expression) {
  const auto* call = std::get_if<typed::SubroutineCall>(&expression.node);
  if (call != nullptr) {
    const SubroutineInfo& info = subroutine_info(call->subroutine);
    if (info.is_destructive && done_.speculate) {
      error(
          "D_ACT_SPEC", expression.span,
          fmt::format("{}() is destructive and may not follow speculate()", info.name));
      return false;
    }
    if (info.is_destructive) {
      note_destructive(info.name, expression.span);
    }
  }
  bool is_good = true;
  typed::for_each_operand(expression, [&](const typed::Expression& operand) {
    is_good = is_good && check_subroutines_order(operand);
  });
  return is_good;
}

}  // namespace kinst::d
