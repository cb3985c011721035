// What stands beside clauses: declarations of variables and types, inlines,
// translators, providers.
#include <fmt/format.h>

#include <utility>

#include "d/syntax/parser.h"

namespace kinst::d {

// external-declaration:
//     inline-definition
//     translator-definition
//     provider-definition
//     declaration
std::optional<Item> Parser::parse_definition() {
  std::optional<Item> item;
  switch (peek().kind) {
    case TokenKind::Inline:
      item = parse_inline();
      break;
    case TokenKind::Translator:
      item = parse_translator();
      break;
    case TokenKind::Provider:
      item = parse_provider();
      break;
    default:
      item = parse_declaration();
      break;
  }
  if (has_failed_) {
    recover_between_clauses();
    return std::nullopt;
  }
  return item;
}

// declaration:
//     declaration-specifiers declarator-list? ;
Declaration Parser::parse_declaration() {
  const Span begin = peek().span;
  Specifiers specifiers = parse_declaration_specifiers(UnknownNames::AreNames);
  Declaration declaration{.span = {},
                          .storage = specifiers.storage,
                          .base = std::move(specifiers.base),
                          .declarators = {}};
  if (peek().kind != TokenKind::Semicolon) {
    do {
      declaration.declarators.push_back(parse_declarator(DeclaratorForm::Named));
      check_declared(declaration, declaration.declarators.back());
    } while (accept(TokenKind::Comma));
  }
  const bool is_unknown_type = specifiers.is_implicit &&
                               declaration.declarators.size() == 1 &&
                               peek().kind == TokenKind::Identifier;
  if (is_unknown_type) {
    const Declarator& declarator = declaration.declarators.front();
    fail("D_SYNTAX", declarator.span,
         fmt::format("syntax error: unknown type '{}'", declarator.name));
  }
  if (peek().kind == TokenKind::Assign) {
    Diagnostic* told = fail_at_word("';'");
    if (told != nullptr) {
      told->hint = "D's variables begin as 0; assign others in a BEGIN clause";
    }
  }
  expect(TokenKind::Semicolon, "behind a declaration");
  declaration.span = span_since(begin);
  check_use(declaration);
  return declaration;
}

// What can be said of a declared name without knowing its type.
void Parser::check_declared(const Declaration& declaration,
                            const Declarator& declarator) {
  if (has_failed_) {
    return;
  }
  check_name(declarator);
  const Derivation* outermost =
      declarator.derivations.empty() ? nullptr : &declarator.derivations.back();
  const bool is_function = outermost != nullptr &&
                           std::holds_alternative<FunctionDerivation>(outermost->node);
  const std::optional<StorageClass> storage = declaration.storage;
  switch (storage.value_or(StorageClass::Extern)) {
    case StorageClass::Auto:
    case StorageClass::Register:
    case StorageClass::Static:
      if (!is_function || storage != StorageClass::Static) {
        fail("D_DECL_BADCLASS", declarator.span, "D has no such storage class");
      }
      return;
    case StorageClass::Typedef:
      typedefs_.insert(declarator.name);
      return;
    case StorageClass::This:
      if (outermost != nullptr &&
          std::holds_alternative<AssociativeDerivation>(outermost->node)) {
        fail("D_DECL_LOCASSC", declarator.span,
             fmt::format("this->{} cannot be an associative array", declarator.name));
      }
      break;
    case StorageClass::Extern:
      if (storage) {
        return;
      }
      variables_.insert(declarator.name);
      break;
    case StorageClass::Self:
      break;
  }
  const auto* array =
      outermost == nullptr ? nullptr : std::get_if<ArrayDerivation>(&outermost->node);
  if (array != nullptr && array->size == nullptr) {
    fail("D_DECL_ARRNULL", outermost->span,
         fmt::format("'{}' needs a size, or types of keys, between the brackets",
                     declarator.name));
  }
}

// A declaration without names must declare a type.
void Parser::check_use(const Declaration& declaration) {
  const bool is_of_type = std::holds_alternative<RecordSyntax>(declaration.base.node) ||
                          std::holds_alternative<EnumSyntax>(declaration.base.node);
  if (declaration.declarators.empty() && !is_of_type) {
    fail("D_DECL_USELESS", declaration.span, "this declares nothing");
  }
}

// inline-definition:
//     inline declaration-specifiers declarator = assignment-expression ;
InlineDefinition Parser::parse_inline() {
  const Span begin = take().span;
  Specifiers specifiers = parse_declaration_specifiers(UnknownNames::AreNames);
  refuse_storage(specifiers, "an inline");
  Declarator declarator = parse_declarator(DeclaratorForm::Named);
  check_name(declarator);
  variables_.insert(declarator.name);
  expect(TokenKind::Assign, "behind an inline's name");
  Expression value = parse_assignment();
  expect(TokenKind::Semicolon, "behind an inline's value");
  return {.span = span_since(begin),
          .base = std::move(specifiers.base),
          .declarator = std::move(declarator),
          .value = std::move(value)};
}

// translator-definition:
//     translator type-name < type-name identifier > { translator-member* } ;
// translator-member:
//     identifier = assignment-expression ;
TranslatorDefinition Parser::parse_translator() {
  const Span begin = take().span;
  TranslatorDefinition translator;
  translator.output = parse_type_name();
  expect(TokenKind::Less, "behind a translator's output");
  translator.input = parse_type_name();
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("a name for the translator's input");
  }
  translator.input_name = take().text;
  expect(TokenKind::Greater, "behind a translator's input");
  expect(TokenKind::LeftBrace, "before a translator's members");
  while (!has_failed_ && !accept(TokenKind::RightBrace)) {
    if (peek().kind != TokenKind::Identifier) {
      fail_at_word("a member's name");
    }
    const Token name = take();
    expect(TokenKind::Assign, "behind a member's name");
    Expression value = parse_assignment();
    expect(TokenKind::Semicolon, "behind a member's value");
    translator.members.push_back(
        {.span = name.span, .name = name.text, .value = std::move(value)});
  }
  expect(TokenKind::Semicolon, "behind a translator");
  translator.span = span_since(begin);
  return translator;
}

// provider-definition:
//     provider identifier { provider-probe* } ;
// provider-probe:
//     probe identifier ( parameters ) ;
//     probe identifier ( parameters ) : ( parameters ) ;
ProviderDefinition Parser::parse_provider() {
  const Span begin = take().span;
  ProviderDefinition provider;
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("a provider's name");
  }
  provider.name = take().text;
  expect(TokenKind::LeftBrace, "before a provider's probes");
  while (!has_failed_ && !accept(TokenKind::RightBrace)) {
    expect(TokenKind::Probe, "or '}'");
    provider.probes.push_back(parse_provider_probe());
  }
  expect(TokenKind::Semicolon, "behind a provider");
  provider.span = span_since(begin);
  return provider;
}

// Behind the word `probe`.
ProviderProbe Parser::parse_provider_probe() {
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("a probe's name");
  }
  const Token name = take();
  ProviderProbe probe{
      .span = name.span, .name = name.text, .native = {}, .translated = std::nullopt};
  const auto parse_list = [this] {
    expect(TokenKind::LeftParen, "before a probe's arguments");
    bool is_variadic = false;
    std::vector<Parameter> list = parse_parameters(TokenKind::RightParen, is_variadic);
    if (is_variadic) {
      fail("D_DECL_PROTO_VARARGS", last_,
           "a probe cannot have a variable number of arguments");
    }
    check_parameters(list, ParameterUse::Function);
    return list;
  };
  probe.native = parse_list();
  if (accept(TokenKind::Colon)) {
    probe.translated = parse_list();
  }
  expect(TokenKind::Semicolon, "behind a probe");
  return probe;
}

}  // namespace kinst::d
