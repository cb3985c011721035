// Units one after the other: declarations, then clauses, each once for each of its
// probe descriptions.
#include "d/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/overloaded.h"
#include "d/check/declaration_checker.h"
#include "d/check/declared_names.h"
#include "d/check/expression_checker.h"
#include "d/check/statement_checker.h"
#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {
namespace {

class UnitChecker {
 public:
  UnitChecker(const Programs& programs, const CheckOptions& options,
              Environment& environment, types::TypeTable& table,
              Diagnostics& diagnostics)
      : probes_(programs.probes),
        all_(diagnostics),
        expressions_(options, names_,
                     {.environment = environment, .code = programs.code}, table,
                     current_),
        declarations_(names_, expressions_, table, current_),
        statements_(options, names_, expressions_, table, current_) {
    names_.globals.emplace("NULL",
                           ConstantSymbol{.value = 0, .type = table.int_type()});
  }

  void check(const Unit& unit) {
    names_.clause_variables.clear();
    for (const Item& item : unit.program->items) {
      declare(item);
      report(unit.is_library ? Severity::Warning : Severity::Error);
    }
    // A name that a library failed to declare is reported where a program uses it.
    if (unit.is_library) {
      names_.broken.clear();
    }
    if (!unit.is_library) {
      check_pragmas(*unit.program);
      report(Severity::Error);
    }
    for (const Item& item : unit.program->items) {
      if (const auto* clause = std::get_if<Clause>(&item)) {
        check(*clause);
      }
    }
  }

  void report_destructive_uses() {
    for (const Diagnostic& use : statements_.destructive_uses()) {
      all_.add(use);
    }
  }

  typed::Program take() {
    program_.variables = std::move(names_.variables);
    program_.aggregations = std::move(names_.aggregations);
    program_.locals = std::move(names_.locals);
    return std::move(program_);
  }

 private:
  void declare(const Item& item) {
    std::visit(Overloaded{
                   [](const Clause&) {},
                   [&](const auto& declaration) { declarations_.check(declaration); },
               },
               item);
  }

  /// Pragmas about names must be about existing names. A pragma cannot load a library;
  /// only the command does.
  void check_pragmas(const Program& program) {
    for (const Pragma& pragma : program.pragmas) {
      const auto* depends = std::get_if<DependsOnPragma>(&pragma.node);
      if (depends != nullptr && depends->kind == "library") {
        current_.error("D_PRAGMA_DEPEND", pragma.span,
                       fmt::format("a program may not depend on a library by name: {}",
                                   depends->name));
      }
      const auto* attributes = std::get_if<AttributesPragma>(&pragma.node);
      if (attributes != nullptr && attributes->component.empty() &&
          !is_known(attributes->name)) {
        current_.error(
            "D_PRAGMA_UNUSED", pragma.span,
            fmt::format("attributes for {}, which there is not", attributes->name));
      }
    }
  }

  [[nodiscard]] bool is_known(std::string_view name) const {
    return find(names_.globals, name) != nullptr || is_builtin_name(name) ||
           name == "translator";
  }

  void check(const Clause& clause) {
    for (std::size_t i = 0; i < clause.probes.size(); ++i) {
      assert(next_description_ < probes_.size());
      expressions_.enter(&probes_[next_description_]);
      program_.clauses.push_back(statements_.check(clause, next_description_));
      expressions_.enter(nullptr);
      ++next_description_;
      report(Severity::Error);
    }
  }

  // A clause has the same errors for each of its descriptions; each error is reported
  // once.
  void report(Severity severity) {
    for (Diagnostic diagnostic : current_.all()) {
      diagnostic.severity = severity;
      if (std::ranges::find(all_.all(), diagnostic) == all_.all().end()) {
        all_.add(std::move(diagnostic));
      }
    }
    current_ = {};
  }

  std::span<const ProbeContext> probes_;
  std::size_t next_description_ = 0;
  Diagnostics& all_;
  Diagnostics current_;
  Names names_;
  ExpressionChecker expressions_;
  DeclarationChecker declarations_;
  StatementChecker statements_;
  typed::Program program_;
};

}  // namespace

std::optional<typed::Program> check(const Programs& programs,
                                    const CheckOptions& options,
                                    Environment& environment, types::TypeTable& table,
                                    Diagnostics& diagnostics) {
  UnitChecker checker(programs, options, environment, table, diagnostics);
  for (const Unit& unit : programs.units) {
    checker.check(unit);
  }
  if (!diagnostics.has_errors()) {
    checker.report_destructive_uses();
  }
  return diagnostics.has_errors() ? std::nullopt : std::optional(checker.take());
}

std::optional<types::TypeId> find_type(std::string_view spelling,
                                       Environment& environment,
                                       types::TypeTable& table) {
  Names names;
  Diagnostics diagnostics;
  // The size of an array in a type that stands alone can only be a number.
  const auto size = [&table](const Expression& expression) {
    const auto* literal = std::get_if<IntegerLiteral>(&expression.node);
    return literal == nullptr ? nullptr
                              : typed::make(table.uint64_type(), expression.span,
                                            typed::IntegerValue{literal->value});
  };
  TypeResolver resolver(names, environment, table, diagnostics, size);
  return resolver.find(spelling);
}

}  // namespace kinst::d
