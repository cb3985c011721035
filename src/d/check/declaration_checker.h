// What a program declares outside of clauses: variables, types, inlines, translators,
// providers.
#pragma once

#include "base/text/diagnostic.h"
#include "d/check/declared_names.h"
#include "d/check/expression_checker.h"
#include "d/syntax/ast.h"
#include "types/type.h"

namespace kinst::d {

/// Enters declarations into the program's names, in source order.
class DeclarationChecker {
 public:
  DeclarationChecker(Names& names, ExpressionChecker& expressions,
                     types::TypeTable& table, Diagnostics& diagnostics)
      : names_(names),
        expressions_(expressions),
        table_(table),
        diagnostics_(diagnostics) {}

  void check(const Declaration& declaration);
  void check(const InlineDefinition& definition);
  void check(const TranslatorDefinition& definition);
  void check(const ProviderDefinition& definition);

 private:
  void declare(const Declaration& declaration, types::TypeId base,
               const Declarator& declarator);
  void declare_typedef(const Declarator& declarator, types::TypeId type);
  void declare_extern(const Declarator& declarator, types::TypeId type);
  void declare_variable(const Declarator& declarator, typed::Variable variable);
  bool check_object_type(const Declarator& declarator, types::TypeId type);
  bool check_redeclaration(const Declarator& declarator,
                           const typed::Variable& variable, typed::VariableId old);
  void note_if_broken(const Declarator& declarator);
  void define(const InlineDefinition& definition);
  bool check_inline_name(const Declarator& declarator);
  bool check_inline_value(const InlineDefinition& definition,
                          const InlineSymbol& symbol);
  bool check_translator_member(const TranslatorMember& member,
                               const Translator& translator);
  bool check_prototype(const std::vector<Parameter>& parameters);
  void error(std::string_view tag, Span span, std::string message) {
    diagnostics_.error(tag, span, std::move(message));
  }

  Names& names_;
  ExpressionChecker& expressions_;
  types::TypeTable& table_;
  Diagnostics& diagnostics_;
};

}  // namespace kinst::d
