// Declarations, inlines, translators, providers, and the types that they spell. The
// rule above each function is in the notation of the C standard.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "d/syntax/parser.h"

namespace kinst::d {

namespace {

std::optional<StorageClass> storage_class(TokenKind kind) {
  switch (kind) {
    case TokenKind::Auto:
      return StorageClass::Auto;
    case TokenKind::Register:
      return StorageClass::Register;
    case TokenKind::Static:
      return StorageClass::Static;
    case TokenKind::Extern:
      return StorageClass::Extern;
    case TokenKind::Typedef:
      return StorageClass::Typedef;
    case TokenKind::Self:
      return StorageClass::Self;
    case TokenKind::This:
      return StorageClass::This;
    default:
      return std::nullopt;
  }
}

// Words that combine into one type: `unsigned long int`.
bool is_type_word(TokenKind kind) {
  return begins_type(kind) && kind != TokenKind::Const && kind != TokenKind::Volatile &&
         kind != TokenKind::Restrict && kind != TokenKind::Struct &&
         kind != TokenKind::Union && kind != TokenKind::Enum;
}

// How often each of the words that combine was written.
struct WordCounts {
  std::size_t longs = 0;
  std::size_t shorts = 0;
  std::size_t signs = 0;
  std::size_t unsigneds = 0;
  std::vector<TokenKind> names;  // void, char, int, float, double, string
};

WordCounts count(const std::vector<Token>& words) {
  WordCounts counts;
  for (const Token& word : words) {
    switch (word.kind) {
      case TokenKind::Long:
        ++counts.longs;
        break;
      case TokenKind::Short:
        ++counts.shorts;
        break;
      case TokenKind::Signed:
        ++counts.signs;
        break;
      case TokenKind::Unsigned:
        ++counts.unsigneds;
        break;
      default:
        counts.names.push_back(word.kind);
        break;
    }
  }
  return counts;
}

struct Refusal {
  std::string_view tag;  // empty when nothing is wrong
  std::string_view message;
};

// Whether lengths and signs fit what they are written with. is_integer: a type that
// they are made for; is_real: float or double, which may be long.
Refusal check_lengths(const WordCounts& counts, bool is_integer, bool is_real) {
  const bool has_sign = counts.signs + counts.unsigneds > 0;
  const bool has_length = counts.longs + counts.shorts > 0;
  const TokenKind name = counts.names.empty() ? TokenKind::Int : counts.names.front();
  if (name == TokenKind::Char && has_length) {
    return {"D_DECL_CHARATTR", "short and long may not be used with char"};
  }
  if (name == TokenKind::Void && (has_sign || has_length)) {
    return {"D_DECL_VOIDATTR", "lengths and signs may not be used with void"};
  }
  if (has_sign && !is_integer) {
    return {"D_DECL_SIGNINT",
            "signed and unsigned may only be used with an integer type"};
  }
  if (counts.longs > 0 && !is_integer && !is_real) {
    return {"D_DECL_LONGINT",
            "long may only be used with an integer or floating-point type"};
  }
  const bool is_contradiction = (counts.signs > 0 && counts.unsigneds > 0) ||
                                (counts.longs > 0 && counts.shorts > 0) ||
                                (counts.shorts > 0 && !is_integer) ||
                                (is_real && name == TokenKind::Float && has_length) ||
                                (is_real && counts.longs > 1);
  // C knows each word once, and long twice; libdtrace does not mind all of them.
  const bool is_repetition =
      counts.longs > 2 || counts.shorts > 1 || counts.signs > 1 || counts.unsigneds > 1;
  if (counts.names.size() > 1 || is_repetition) {
    return {"D_DECL_COMBO", "these words do not combine into a type"};
  }
  if (is_contradiction) {
    // DTrace finds no type of that name, hence the tag.
    return {"D_UNKNOWN", "there is no type of these lengths and signs"};
  }
  return {};
}

BuiltinType integer_type(const WordCounts& counts) {
  const bool is_unsigned = counts.unsigneds > 0;
  if (!counts.names.empty() && counts.names.front() == TokenKind::Char) {
    return is_unsigned        ? BuiltinType::UnsignedChar
           : counts.signs > 0 ? BuiltinType::SignedChar
                              : BuiltinType::Char;
  }
  if (counts.shorts > 0) {
    return is_unsigned ? BuiltinType::UnsignedShort : BuiltinType::Short;
  }
  switch (counts.longs) {
    case 0:
      return is_unsigned ? BuiltinType::UnsignedInt : BuiltinType::Int;
    case 1:
      return is_unsigned ? BuiltinType::UnsignedLong : BuiltinType::Long;
    default:
      return is_unsigned ? BuiltinType::UnsignedLongLong : BuiltinType::LongLong;
  }
}

}  // namespace

// ---------------------------------------------------------------- types

bool Parser::is_type(std::string_view name) const {
  // The scopes C` and D` are the program's own.
  const bool is_own = name.starts_with("C`") || name.starts_with("D`");
  return typedefs_.contains(is_own ? name.substr(2) : name) ||
         (options_.is_type_name && options_.is_type_name(name));
}

// Whether a type's name begins at a word where an expression could as well. A name that
// is assigned to, here or before, is a variable whatever the kernel calls by it.
bool Parser::begins_type_here(std::size_t ahead) {
  const Token& word = peek(ahead);
  if (word.kind != TokenKind::Identifier) {
    return begins_type(word.kind);
  }
  const std::string name = word.text;
  switch (peek(ahead + 1).kind) {
    case TokenKind::Increment:
    case TokenKind::Decrement:
    case TokenKind::Assign:
    case TokenKind::LeftBracket:
    case TokenKind::Semicolon:
      return false;
    default:
      return !variables_.contains(name) && is_type(name);
  }
}

// The type that words like `unsigned long` mean.
std::optional<BuiltinType> Parser::combine(const std::vector<Token>& words) {
  const WordCounts counts = count(words);
  const TokenKind name = counts.names.empty() ? TokenKind::Int : counts.names.front();
  const bool is_real = name == TokenKind::Float || name == TokenKind::Double;
  const bool is_integer = name == TokenKind::Int || name == TokenKind::Char;
  if (const Refusal wrong = check_lengths(counts, is_integer, is_real);
      !wrong.tag.empty()) {
    fail(wrong.tag, span_since(words.front().span), std::string(wrong.message));
    return std::nullopt;
  }
  switch (name) {
    case TokenKind::Void:
      return BuiltinType::Void;
    case TokenKind::Float:
      return BuiltinType::Float;
    case TokenKind::Double:
      return counts.longs > 0 ? BuiltinType::LongDouble : BuiltinType::Double;
    case TokenKind::StringType:
      return BuiltinType::String;
    default:
      return integer_type(counts);
  }
}

// declaration-specifiers:
//     storage-class-specifier declaration-specifiers?
//     type-specifier declaration-specifiers?
//     type-qualifier declaration-specifiers?
// As in old C, a type that is not written is int: `register x;`.
Parser::Specifiers Parser::parse_declaration_specifiers(UnknownNames unknown) {
  Specifiers specifiers;
  const Span begin = peek().span;
  last_ = {.begin = begin.begin, .end = begin.begin, .source = index_};
  while (parse_storage_class(specifiers) ||
         parse_qualifier(specifiers.base.qualifiers) ||
         parse_type_specifier(specifiers, unknown)) {
  }
  specifiers.base.span = span_since(begin);
  if (!has_failed_) {
    finish_type(specifiers);
  }
  return specifiers;
}

bool Parser::parse_storage_class(Specifiers& specifiers) {
  const std::optional<StorageClass> storage = storage_class(peek().kind);
  if (!storage) {
    return false;
  }
  if (specifiers.storage) {
    fail("D_DECL_CLASS", peek().span,
         "a declaration has one storage class, and this is a second one");
    return false;
  }
  specifiers.storage = storage;
  specifiers.storage_span = take().span;
  return true;
}

bool Parser::parse_qualifier(Qualifiers& qualifiers) {
  switch (peek().kind) {
    case TokenKind::Const:
      qualifiers.is_const = true;
      break;
    case TokenKind::Volatile:
      qualifiers.is_volatile = true;
      break;
    case TokenKind::Restrict:
      qualifiers.is_restrict = true;
      break;
    default:
      return false;
  }
  take();
  return true;
}

// type-specifier:
//     void | char | short | int | long | float | double | signed | unsigned | string
//     struct-or-union-specifier
//     enum-specifier
//     typedef-name
bool Parser::parse_type_specifier(Specifiers& specifiers, UnknownNames unknown) {
  const Token& word = peek();
  if (is_type_word(word.kind)) {
    specifiers.words.push_back(take());
    return true;
  }
  const bool is_record =
      word.kind == TokenKind::Struct || word.kind == TokenKind::Union;
  const bool is_enum = word.kind == TokenKind::Enum;
  const bool has_type = specifiers.has_named_type || !specifiers.words.empty();
  const bool is_name =
      word.kind == TokenKind::Identifier && !has_type && names_a_type(word, unknown);
  if (!is_record && !is_enum && !is_name) {
    return false;
  }
  if (specifiers.has_named_type) {
    Diagnostic* told =
        fail("D_DECL_COMBO", word.span,
             fmt::format("{} begins a second type in one declaration", describe(word)));
    if (told != nullptr) {
      told->hint = "a ';' may be missing before it";
    }
    return false;
  }
  specifiers.has_named_type = true;
  if (is_record) {
    specifiers.base.node = parse_record();
  } else if (is_enum) {
    specifiers.base.node = parse_enum();
  } else {
    specifiers.base.node = NamedType{take().text};
  }
  return true;
}

// Whether a name where a type may stand is one. `word` is the next word.
bool Parser::names_a_type(const Token& word, UnknownNames unknown) {
  if (is_type(word.text)) {
    return true;
  }
  if (!options_.is_type_name) {
    // Nobody knows: what looks like a type is one.
    const TokenKind next = peek(1).kind;
    return unknown == UnknownNames::AreErrors || next == TokenKind::Identifier ||
           next == TokenKind::Star;
  }
  if (unknown == UnknownNames::AreErrors) {
    refuse_unknown_type(word);
  }
  return false;
}

void Parser::refuse_unknown_type(const Token& word) {
  const std::string name = word.text;
  Diagnostic* told =
      fail("D_SYNTAX", word.span, fmt::format("syntax error: unknown type '{}'", name));
  if (told == nullptr) {
    return;
  }
  NearNames near(name);
  for (const std::string& own : typedefs_) {
    near.offer(own);
  }
  if (options_.offer_type_names) {
    options_.offer_type_names(near);
  }
  told->hint = near.question();
}

// Whether "(name *)" or "(name) operand" stands here: a cast, if the name were a type.
// An expression in parentheses ends in no '*', and no operand follows it.
bool Parser::casts_to_unknown_type() {
  if (peek().kind != TokenKind::LeftParen || peek(1).kind != TokenKind::Identifier) {
    return false;
  }
  std::size_t ahead = 2;
  while (peek(ahead).kind == TokenKind::Star) {
    ++ahead;
  }
  if (peek(ahead).kind != TokenKind::RightParen) {
    return false;
  }
  switch (peek(ahead + 1).kind) {
    case TokenKind::Identifier:
    case TokenKind::Integer:
    case TokenKind::String:
    case TokenKind::Aggregation:
    case TokenKind::Self:
    case TokenKind::This:
      return true;
    default:
      return ahead > 2;
  }
}

// Puts the words that combine into the base type, and refuses those that do not.
void Parser::finish_type(Specifiers& specifiers) {
  const std::vector<Token>& words = specifiers.words;
  if (!specifiers.has_named_type) {
    specifiers.is_implicit = words.empty();
    specifiers.base.node =
        words.empty() ? BuiltinType::Int : combine(words).value_or(BuiltinType::Int);
    return;
  }
  if (!words.empty()) {
    const Refusal wrong = check_lengths(count(words), false, false);
    const bool is_known = !wrong.tag.empty();
    fail(is_known ? wrong.tag : "D_DECL_COMBO", words.front().span,
         is_known ? std::string(wrong.message)
                  : "these words do not combine into a type");
  }
}

// struct-or-union-specifier:
//     struct-or-union identifier? { struct-declaration-list }
//     struct-or-union identifier
RecordSyntax Parser::parse_record() {
  const bool is_struct = take().kind == TokenKind::Struct;
  RecordSyntax record{
      .kind = is_struct ? types::RecordKind::Struct : types::RecordKind::Union,
      .tag = {},
      .is_definition = false,
      .members = {}};
  if (peek().kind == TokenKind::Identifier) {
    record.tag = take().text;
  } else if (peek().kind != TokenKind::LeftBrace) {
    fail_at_word("a tag or '{'");
  }
  const Span begin = peek().span;
  if (!accept(TokenKind::LeftBrace)) {
    return record;
  }
  record.is_definition = true;
  if (enter(begin)) {
    do {
      record.members.push_back(parse_member());
    } while (!has_failed_ && peek().kind != TokenKind::RightBrace);
    expect(TokenKind::RightBrace, "behind the members");
  }
  leave();
  return record;
}

// struct-declaration:
//     specifier-qualifier-list struct-declarator-list? ;
// struct-declarator:
//     declarator
//     declarator? : constant-expression
// Without declarators it is an anonymous struct or union, as in C11.
MemberDeclaration Parser::parse_member() {
  const Span begin = peek().span;
  Specifiers specifiers = parse_declaration_specifiers(UnknownNames::AreErrors);
  refuse_storage(specifiers, "a member");
  if (specifiers.is_implicit) {
    fail_at_word("a member's type");
  }
  MemberDeclaration member{
      .span = {}, .base = std::move(specifiers.base), .declarators = {}};
  const auto* record = std::get_if<RecordSyntax>(&member.base.node);
  const bool can_be_anonymous = record != nullptr && record->is_definition;
  if (peek().kind != TokenKind::Semicolon) {
    do {
      member.declarators.push_back(parse_member_declarator());
    } while (accept(TokenKind::Comma));
  } else if (!can_be_anonymous) {
    fail("D_DECL_MNAME", peek().span, "a member needs a name");
  }
  expect(TokenKind::Semicolon, "behind a member");
  member.span = span_since(begin);
  return member;
}

MemberDeclarator Parser::parse_member_declarator() {
  MemberDeclarator member;
  const Span begin = peek().span;
  if (peek().kind != TokenKind::Colon) {
    member.declarator = parse_declarator(DeclaratorForm::Either);
    check_name(member.declarator);
  } else {
    member.declarator.span = begin;
  }
  if (accept(TokenKind::Colon)) {
    member.width_bits = std::make_unique<Expression>(parse_conditional());
  } else if (member.declarator.name.empty()) {
    fail("D_DECL_MNAME", begin, "a member needs a name");
  }
  return member;
}

// enum-specifier:
//     enum identifier? { enumerator-list ,? }
//     enum identifier
// enumerator:
//     identifier
//     identifier = constant-expression
EnumSyntax Parser::parse_enum() {
  take();
  EnumSyntax syntax;
  if (peek().kind == TokenKind::Identifier) {
    syntax.tag = take().text;
  } else if (peek().kind != TokenKind::LeftBrace) {
    fail_at_word("a tag or '{'");
  }
  if (!accept(TokenKind::LeftBrace)) {
    return syntax;
  }
  syntax.is_definition = true;
  do {
    if (peek().kind == TokenKind::RightBrace && !syntax.enumerators.empty()) {
      break;
    }
    syntax.enumerators.push_back(parse_enumerator());
  } while (accept(TokenKind::Comma));
  expect(TokenKind::RightBrace, "behind the enumerators");
  return syntax;
}

EnumeratorSyntax Parser::parse_enumerator() {
  if (peek().kind != TokenKind::Identifier) {
    fail_at_word("an enumerator");
  }
  const Token name = take();
  EnumeratorSyntax enumerator{.span = name.span, .name = name.text, .value = nullptr};
  if (name.text.find('`') != std::string::npos) {
    fail("D_DECL_SCOPE", name.span, "a declared name has no '`'");
  }
  if (accept(TokenKind::Assign)) {
    enumerator.value = std::make_unique<Expression>(parse_conditional());
  }
  return enumerator;
}

}  // namespace kinst::d
