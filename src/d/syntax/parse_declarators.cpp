// Declarators: names with what is derived from the base type, and parameters.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "d/syntax/parser.h"

namespace kinst::d {

namespace {

bool is_void(const Parameter& parameter) {
  const auto* builtin = std::get_if<BuiltinType>(&parameter.base.node);
  return builtin != nullptr && *builtin == BuiltinType::Void &&
         parameter.declarator.derivations.empty();
}

bool is_associative(const Declarator& declarator) {
  return std::ranges::any_of(declarator.derivations, [](const Derivation& derivation) {
    return std::holds_alternative<AssociativeDerivation>(derivation.node);
  });
}

}  // namespace

// type-name:
//     specifier-qualifier-list abstract-declarator?
TypeSyntax Parser::parse_type_name() {
  const Span begin = peek().span;
  Specifiers specifiers = parse_declaration_specifiers(UnknownNames::AreErrors);
  refuse_storage(specifiers, "a type's name");
  if (specifiers.is_implicit) {
    fail_at_word("a type");
  }
  Declarator abstract = parse_declarator(DeclaratorForm::Abstract);
  return {.span = span_since(begin),
          .base = std::move(specifiers.base),
          .derivations = std::move(abstract.derivations)};
}

std::optional<TypeSyntax> Parser::parse_whole_type() {
  TypeSyntax type = parse_type_name();
  expect(TokenKind::End, "behind the type");
  return has_failed_ ? std::nullopt : std::optional<TypeSyntax>(std::move(type));
}

void Parser::refuse_storage(const Specifiers& specifiers, std::string_view what) {
  if (specifiers.storage) {
    fail("D_SYNTAX", specifiers.storage_span,
         fmt::format("syntax error: {} has no storage class", what));
  }
}

// declarator:
//     pointer? direct-declarator
// direct-declarator:
//     identifier
//     ( declarator )
//     direct-declarator [ … ]
//     direct-declarator ( … )
// An abstract declarator is the same without the identifier.
Declarator Parser::parse_declarator(DeclaratorForm form) {
  Declarator declarator;
  if (!enter(peek().span)) {
    leave();
    return declarator;
  }
  while (peek().kind == TokenKind::Star) {
    PointerDerivation pointer;
    const Span begin = take().span;
    while (parse_qualifier(pointer.qualifiers)) {
    }
    declarator.derivations.push_back({.span = span_since(begin), .node = pointer});
    check_depth(declarator.derivations);
  }
  Declarator inner;
  declarator.span = peek().span;
  if (peek().kind == TokenKind::Identifier && form != DeclaratorForm::Abstract) {
    declarator.name = take().text;
  } else if (begins_inner_declarator(form)) {
    take();
    inner = parse_declarator(form);
    expect(TokenKind::RightParen, "to end the parenthesis");
    declarator.name = inner.name;
    declarator.span = inner.span;
  } else if (form == DeclaratorForm::Named) {
    fail_at_word("a name to declare");
  }
  // The suffix next to the name decides what the name is, so it is applied last.
  std::vector<Derivation> suffixes = parse_suffixes();
  std::ranges::reverse(suffixes);
  std::ranges::move(suffixes, std::back_inserter(declarator.derivations));
  std::ranges::move(inner.derivations, std::back_inserter(declarator.derivations));
  check_depth(declarator.derivations);
  leave();
  return declarator;
}

// Each derivation makes a type of the type before. Limits their number, because code
// that resolves types may recurse.
void Parser::check_depth(const std::vector<Derivation>& derivations) {
  if (derivations.size() > max_expression_height) {
    fail_for_good(derivations.back().span, "the type is nested too deeply");
  }
}

// Whether '(' is around a declarator; where no name is needed it could also begin the
// parameters of a function.
bool Parser::begins_inner_declarator(DeclaratorForm form) {
  if (peek().kind != TokenKind::LeftParen) {
    return false;
  }
  if (form == DeclaratorForm::Named) {
    return true;
  }
  switch (peek(1).kind) {
    case TokenKind::Star:
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
      return true;
    case TokenKind::Identifier:
      return form == DeclaratorForm::Either && !is_type(peek(1).text);
    default:
      return false;
  }
}

std::vector<Derivation> Parser::parse_suffixes() {
  std::vector<Derivation> suffixes;
  while (true) {
    if (peek().kind == TokenKind::LeftBracket) {
      suffixes.push_back(parse_array_suffix());
    } else if (peek().kind == TokenKind::LeftParen) {
      const Span begin = take().span;
      FunctionDerivation function;
      function.parameters =
          parse_parameters(TokenKind::RightParen, function.is_variadic);
      check_parameters(function.parameters, ParameterUse::Function);
      suffixes.push_back({.span = span_since(begin), .node = std::move(function)});
    } else {
      return suffixes;
    }
    check_depth(suffixes);
  }
}

// array:
//     [ ]
//     [ constant-expression ]
//     [ parameter-type-list ]
Derivation Parser::parse_array_suffix() {
  const Span begin = take().span;
  if (accept(TokenKind::RightBracket)) {
    return {.span = span_since(begin), .node = ArrayDerivation{}};
  }
  const bool has_types = peek().kind == TokenKind::Ellipsis ||
                         peek().kind == TokenKind::Register ||
                         peek().kind == TokenKind::Static || begins_type_here(0);
  if (!has_types) {
    ArrayDerivation array;
    ++groups_;
    array.size = std::make_unique<Expression>(parse_conditional());
    --groups_;
    expect(TokenKind::RightBracket, "behind an array's size");
    return {.span = span_since(begin), .node = std::move(array)};
  }
  AssociativeDerivation associative;
  bool is_variadic = false;
  associative.keys = parse_parameters(TokenKind::RightBracket, is_variadic);
  if (is_variadic) {
    fail("D_DECL_PROTO_VARARGS", last_,
         "an associative array cannot have a variable number of keys");
  }
  check_parameters(associative.keys, ParameterUse::Array);
  return {.span = span_since(begin), .node = std::move(associative)};
}

// parameter-type-list:
//     parameter-list
//     ...
//     parameter-list , ...
// and the word that ends it; the list may be empty.
std::vector<Parameter> Parser::parse_parameters(TokenKind end, bool& is_variadic) {
  std::vector<Parameter> parameters;
  if (accept(end)) {
    return parameters;
  }
  do {
    if (accept(TokenKind::Ellipsis)) {
      is_variadic = true;
      break;
    }
    parameters.push_back(parse_parameter());
  } while (accept(TokenKind::Comma));
  expect(end, "behind the parameters");
  return parameters;
}

// parameter-declaration:
//     declaration-specifiers declarator
//     declaration-specifiers abstract-declarator?
Parameter Parser::parse_parameter() {
  const Span begin = peek().span;
  Specifiers specifiers = parse_declaration_specifiers(UnknownNames::AreErrors);
  if (specifiers.storage && specifiers.storage != StorageClass::Register) {
    fail("D_DECL_PARMCLASS", specifiers.storage_span,
         "this storage class is not for parameters");
  }
  if (specifiers.is_implicit && !specifiers.storage) {
    fail_at_word("a parameter's type");
  }
  Parameter parameter{.span = {},
                      .base = std::move(specifiers.base),
                      .declarator = parse_declarator(DeclaratorForm::Either)};
  check_name(parameter.declarator);
  parameter.span = span_since(begin);
  return parameter;
}

// What can be said of parameters without knowing their types. `(void)` becomes none.
void Parser::check_parameters(std::vector<Parameter>& parameters, ParameterUse use) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : parameters) {
    const bool is_nothing = is_void(parameter);
    if (is_associative(parameter.declarator) ||
        (is_nothing && use == ParameterUse::Array)) {
      fail("D_DECL_PROTO_TYPE", parameter.span,
           is_nothing ? "a key cannot be void"
                      : "a parameter cannot be an associative array");
    }
    const std::string& name = parameter.declarator.name;
    if (is_nothing && !name.empty()) {
      fail("D_DECL_PROTO_NAME", parameter.span, "a void parameter cannot have a name");
    }
    if (is_nothing && parameters.size() > 1) {
      fail("D_DECL_PROTO_VOID", parameter.span, "void must be the only parameter");
    }
    if (!name.empty() && !names.insert(name).second) {
      fail("D_DECL_PROTO_FORM", parameter.declarator.span,
           fmt::format("there is already a parameter '{}'", name));
    }
  }
  if (parameters.size() == 1 && is_void(parameters.front())) {
    parameters.clear();
  }
}

void Parser::check_name(const Declarator& declarator) {
  if (declarator.name.find('`') != std::string::npos) {
    fail("D_DECL_SCOPE", declarator.span,
         fmt::format("a declared name has no '`': {}", declarator.name));
  }
}

}  // namespace kinst::d
