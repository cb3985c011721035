// Whole programs: clauses, their descriptions, predicates and statements.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text/near_names.h"
#include "d/syntax/descriptions.h"
#include "d/syntax/parser.h"
#include "d/tables/builtin.h"
#include "d/tables/other_tracers_words.h"
#include "d/tables/own_names.h"

namespace kinst::d {

namespace {

constexpr std::string_view declaration_hint =
    "a variable needs no declaration, its first assignment is one; declarations stand "
    "before the clauses, as in: this int x;";

// A text with a zero byte is a binary file; anything said of its words is noise.
std::optional<std::uint32_t> binary_byte(std::string_view text) {
  const std::size_t at = text.find('\0');
  return at == std::string_view::npos
             ? std::nullopt
             : std::optional<std::uint32_t>(static_cast<std::uint32_t>(at));
}

std::string describe_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= ' ' && byte < 0x7f ? fmt::format("'{}'", c)
                                    : fmt::format("the byte {:#04x}", byte);
}

// What stands where a clause or a declaration should begin.
std::string hint_between_clauses(char c) {
  switch (c) {
    case ';':
      return "no ';' stands behind a clause";
    case '}':
      return "no '{' is open here";
    case '{':
    case '/':
      return "the probe that it is for comes first, as in BEGIN { trace(1); }";
    case '(':
      return "what a probe does stands in braces, as in BEGIN { trace(1); }";
    default:
      return {};
  }
}

// "uprobe:/bin/bash:readline", a bpftrace description whose path looks like a
// predicate; rest: from the path's '/'.
std::string hint_for_path(std::string_view rest) {
  const std::size_t colon = rest.find(':');
  const std::string_view path = rest.substr(0, colon);
  std::string_view function = rest.substr(colon + 1);
  function = function.substr(0, function.find_first_of(" \t\n{/,"));
  return fmt::format("a program is traced with -c or -p, as in pid$target:{}:{}:entry",
                     path.substr(path.rfind('/') + 1),
                     function.substr(function.rfind(':') + 1));
}

// Behind what may be a type with a slip: "itn x".
std::string hint_for_declaration(std::string_view word, const ParseOptions& options) {
  NearNames near(word);
  for (const std::string_view known : {"int", "char", "short", "long", "unsigned",
                                       "string", "struct", "typedef", "inline"}) {
    near.offer(known);
  }
  if (options.offer_type_names) {
    options.offer_type_names(near);
  }
  return near.names().empty()
             ? "if this should be a declaration, its first word is no type"
             : fmt::format("did you mean '{}'?", near.names().front());
}

// Whether a path and a function stand there, and no predicate.
bool is_path(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::string_view rest = text.substr(at);
  const std::string_view path = rest.substr(0, rest.find_first_of(": \t\n{"));
  return (before.ends_with(':') || before.ends_with(":.")) &&
         path.size() < rest.size() && rest[path.size()] == ':';
}

}  // namespace

Program parse(Source& source, std::uint32_t index, const ParseOptions& options,
              Diagnostics& diagnostics) {
  if (const std::optional<std::uint32_t> at = binary_byte(source.text)) {
    diagnostics
        .error("D_SYNTAX", {.begin = *at, .end = *at + 1, .source = index},
               "this is no D program: the text has a zero byte")
        .hint = "is it a binary file?";
    return {};
  }
  return Parser(source, index, options, diagnostics).parse_program();
}

void refuse_empty(const Program& program, std::uint32_t index,
                  Diagnostics& diagnostics) {
  const bool is_empty = std::ranges::all_of(program.items, [](const Item& item) {
    return std::holds_alternative<Declaration>(item);
  });
  if (is_empty) {
    diagnostics.error("D_EMPTY", {.begin = 0, .end = 0, .source = index},
                      "the program is empty: it has no clauses");
  }
}

void refuse_unused_argument(const MacroValues& values,
                            std::span<const Program> programs,
                            Diagnostics& diagnostics) {
  if (values.arguments.size() < 2) {
    return;
  }
  const auto last = static_cast<std::uint32_t>(values.arguments.size() - 1);
  const bool is_used = std::ranges::any_of(programs, [last](const Program& program) {
    return std::ranges::binary_search(program.used_arguments, last);
  });
  if (!is_used) {
    diagnostics.error("D_MACRO_UNUSED", {},
                      fmt::format("extraneous argument '{}': ${} is not referenced",
                                  values.arguments.back(), last));
  }
}

std::optional<TypeSyntax> parse_type(
    std::string_view spelling,
    const std::function<bool(std::string_view)>& is_type_name) {
  Source source{.name = "type", .text = std::string(spelling), .line_markers = {}};
  ParseOptions options;
  options.is_type_name = is_type_name;
  Diagnostics ignored;
  return Parser(source, 0, options, ignored).parse_whole_type();
}

// translation-unit:
//     external-declaration*
Program Parser::parse_program() {
  Program program;
  while (!gives_up()) {
    const OuterWord word = lexer_.peek_outer();
    if (word.kind == OuterWord::Kind::End) {
      break;
    }
    parse_item(program, word);
  }
  gives_up();
  program.pragmas = lexer_.take_pragmas();
  program.used_arguments = lexer_.macros().used_arguments();
  return program;
}

void Parser::parse_item(Program& program, const OuterWord& word) {
  braces_ = 0;
  if (is_declaration(word)) {
    if (std::optional<Item> item = parse_definition()) {
      program.items.push_back(std::move(*item));
    }
    return;
  }
  if (word.kind == OuterWord::Kind::Other) {
    Diagnostic* told =
        fail("D_SYNTAX", word.span,
             fmt::format("syntax error near {}: expected a probe description or a "
                         "declaration",
                         describe_byte(word.text.front())));
    if (told != nullptr) {
      told->hint = is_comment_of_cpp(lexer_.text(), word.span.begin)
                       ? std::string(comment_hint)
                       : hint_between_clauses(word.text.front());
    }
    // A '}' too many ends what it stands behind.
    if (word.text == "}") {
      lexer_.consume_outer(1);
      has_failed_ = false;
    } else {
      recover_between_clauses();
    }
    return;
  }
  if (std::optional<Clause> clause = parse_clause()) {
    program.items.emplace_back(std::move(*clause));
  }
}

// Whether a declaration begins here and not a clause. "int*" could be a glob; a type
// before it makes it a declaration, except in -n texts. Descriptions with a ':' are
// never in doubt.
bool Parser::is_declaration(const OuterWord& word) const {
  if (word.kind != OuterWord::Kind::Description) {
    return false;
  }
  const std::string_view name = word.text.substr(0, word.text.find('*'));
  const TokenKind kind = keyword(name);
  if (name.empty()) {
    return false;
  }
  const bool prefers_descriptions =
      options_.prefers_descriptions || lexer_.prefers_descriptions();
  if (prefers_descriptions && (name != word.text || kind == TokenKind::Identifier)) {
    return false;
  }
  if (kind != TokenKind::Identifier) {
    return begins_declaration(kind) && (name == word.text || begins_type(kind));
  }
  const bool can_be_type =
      word.text.find_first_of(":-.?!$[]@=+\"") == std::string_view::npos &&
      word.text != "BEGIN" && word.text != "END" && word.text != "ERROR";
  return can_be_type && options_.kind != TextKind::CommandLine && is_type(name);
}

// probe-definition:
//     probe-specifiers
//     probe-specifiers { statement-list }
//     probe-specifiers / expression / { statement-list }
std::optional<Clause> Parser::parse_clause() {
  const Span begin = lexer_.peek_outer().span;
  std::optional<std::vector<ProbeSpecifier>> probes = parse_probe_specifiers();
  const bool has_probes = probes.has_value();
  if (!has_probes) {
    recover_before_body();
  }
  Clause clause{.span = begin,
                .probes = std::move(probes).value_or(std::vector<ProbeSpecifier>()),
                .predicate = std::nullopt,
                .body = std::nullopt};
  const OuterWord next = lexer_.peek_outer();
  if (next.text == "/" && is_path(lexer_.text(), next.span.begin)) {
    diagnostics_
        .error("D_PDESC_INVAL", begin,
               "invalid probe description: a file's path cannot stand in it")
        .hint = hint_for_path(lexer_.text().substr(next.span.begin));
    recover_between_clauses();
    return std::nullopt;
  }
  if (next.text == "/") {
    clause.predicate = parse_predicate();
  } else if (next.text != "{" && options_.kind != TextKind::CommandLine && has_probes) {
    refuse_bare_description(begin, next);
    return std::nullopt;
  }
  if (lexer_.peek_outer().text == "{") {
    lexer_.consume_outer(1);
    clause.body = parse_block("the clause");
    clause.span = span_since(begin);
  } else if (clause.predicate && !has_given_up_) {
    diagnostics_.error("D_SYNTAX", clause.predicate->span,
                       "syntax error: expected actions { } behind a probe description "
                       "and predicate");
  }
  return has_probes ? std::optional<Clause>(std::move(clause)) : std::nullopt;
}

// In a file a description alone is more likely a mistake than the wish for the default
// action: DTrace refuses it too.
void Parser::refuse_bare_description(Span span, const OuterWord& next) {
  Diagnostic& told =
      diagnostics_.error("D_SYNTAX", span,
                         "syntax error: expected a predicate or actions behind a probe "
                         "description");
  if (next.kind == OuterWord::Kind::Description) {
    const std::string_view word =
        lexer_.text().substr(span.begin, span.end - span.begin);
    told.hint = hint_for_declaration(word, options_);
    recover_between_clauses();
  }
}

// probe-specifiers:
//     probe-specifier
//     probe-specifiers , probe-specifier
std::optional<std::vector<ProbeSpecifier>> Parser::parse_probe_specifiers() {
  std::vector<ProbeSpecifier> probes;
  while (true) {
    const OuterWord word = lexer_.peek_outer();
    std::optional<ProbeSpecifier> probe = parse_probe_specifier(word);
    if (!probe) {
      return std::nullopt;
    }
    probes.push_back(std::move(*probe));
    if (lexer_.peek_outer().text != ",") {
      return probes;
    }
    lexer_.consume_outer(1);
  }
}

// probe-specifier:
//     description
//     integer
std::optional<ProbeSpecifier> Parser::parse_probe_specifier(const OuterWord& word) {
  if (word.kind == OuterWord::Kind::Description) {
    Result<Description> description =
        parse_description(word.text, options_.last_field, lexer_.macros());
    lexer_.consume_outer(word.text.size());
    if (!description) {
      fail("D_PDESC_INVAL", word.span,
           fmt::format("invalid probe description {}: {}", word.text,
                       description.error().message));
      return std::nullopt;
    }
    description->span = word.span;
    return std::move(*description);
  }
  if (word.kind != OuterWord::Kind::Number) {
    fail("D_SYNTAX", word.span,
         fmt::format("syntax error near {}: expected a probe description",
                     word.text.empty() ? describe(TokenKind::End)
                                       : describe_byte(word.text.front())));
    return std::nullopt;
  }
  lexer_.consume_outer(word.text.size());
  std::uint32_t id = 0;
  const char* end = word.text.data() + word.text.size();
  if (std::from_chars(word.text.data(), end, id).ec != std::errc()) {
    fail("D_PDESC_INVAL", word.span, "the number exceeds the largest probe id");
    return std::nullopt;
  }
  if (options_.last_field != DescriptionField::Name) {
    fail("D_PDESC_INVAL", word.span,
         "a probe id is not permitted where providers, modules or functions are given");
    return std::nullopt;
  }
  return ProbeId{.span = word.span, .id = id};
}

std::optional<Expression> Parser::parse_predicate() {
  lexer_.consume_outer(1);
  is_in_predicate_ = true;
  Expression predicate = parse_expression();
  is_in_predicate_ = false;
  if (!accept(TokenKind::Slash)) {
    Diagnostic* told = fail_at_word(
        fmt::format("{} to end the predicate", describe(TokenKind::Slash)));
    if (told != nullptr && told->hint.empty() &&
        lexer_.text().substr(told->span.begin, 1) == ";") {
      told->hint = "what a probe does stands in braces behind /predicate/";
    }
  }
  if (has_failed_) {
    recover_before_body();
    return std::nullopt;
  }
  return_words();
  return predicate;
}

// Behind '{':
// statement-list:
//     statement* }
std::vector<Statement> Parser::parse_block(std::string_view owner) {
  std::vector<Statement> statements;
  while (!has_given_up_) {
    if (accept(TokenKind::Semicolon)) {
      continue;
    }
    if (accept(TokenKind::RightBrace)) {
      break;
    }
    if (peek().kind == TokenKind::End) {
      fail_at_word(fmt::format("'}}' to end {}", owner));
      break;
    }
    Statement statement = parse_statement();
    if (has_failed_) {
      recover_in_block();
    } else {
      statements.push_back(std::move(statement));
    }
  }
  return statements;
}

// statement:
//     expression ;
//     if ( expression ) branch
//     if ( expression ) branch else branch
// The ';' before a '}' may be left out.
Statement Parser::parse_statement() {
  if (peek().kind == TokenKind::If) {
    return parse_if();
  }
  refuse_statement(peek());
  const Span begin = peek().span;
  Expression expression = parse_expression();
  if (peek().kind == TokenKind::End) {
    fail_at_word("';' or '}' behind a statement");
  } else if (peek().kind != TokenKind::RightBrace && !accept(TokenKind::Semicolon)) {
    refuse_word_behind(expression);
  }
  return {.span = span_since(begin),
          .node = ExpressionStatement{std::move(expression)}};
}

Statement Parser::parse_if() {
  const Span begin = take().span;
  expect(TokenKind::LeftParen, "behind if");
  ++groups_;
  Expression condition = parse_expression();
  --groups_;
  expect(TokenKind::RightParen, "behind the condition");
  If conditional{
      .condition = std::move(condition), .then_branch = {}, .else_branch = {}};
  if (enter(begin)) {
    conditional.then_branch = parse_branch();
    if (accept(TokenKind::Else)) {
      conditional.else_branch = parse_branch();
    }
  }
  leave();
  return {.span = span_since(begin), .node = std::move(conditional)};
}

// branch:
//     statement
//     ;
//     { statement-list }
std::vector<Statement> Parser::parse_branch() {
  if (accept(TokenKind::LeftBrace)) {
    return parse_block("the block");
  }
  std::vector<Statement> statements;
  if (!accept(TokenKind::Semicolon)) {
    statements.push_back(parse_statement());
  }
  return statements;
}

// What stands where a statement should have ended.
void Parser::refuse_word_behind(const Expression& statement) {
  const Token word = peek();
  const std::string_view text =
      lexer_.text().substr(word.span.begin, word.span.end - word.span.begin);
  const auto* name = std::get_if<Identifier>(&statement.node);
  std::string hint;
  if (word.kind == TokenKind::RightParen || word.kind == TokenKind::RightBracket) {
    hint = fmt::format("no '{}' is open here",
                       word.kind == TokenKind::RightParen ? '(' : '[');
  } else if (name != nullptr && is_builtin_name(name->name) &&
             !find_builtin(name->name)) {
    hint =
        fmt::format("arguments stand in parentheses, as in {}({})", name->name, text);
  } else if (name != nullptr &&
             (is_type(name->name) || name->name == "self" || name->name == "this" ||
              name->name == "let" || name->name == "var" || name->name == "global")) {
    hint = declaration_hint;
  } else if (word.kind == TokenKind::LeftBrace) {
    hint = "D has no loops, and braces within a clause belong to if and else";
  }
  Diagnostic* told = fail_at_word("';' behind a statement");
  if (told != nullptr && told->hint.empty()) {
    told->hint = std::move(hint);
  }
}

// What people try who know C.
void Parser::refuse_statement(const Token& word) {
  std::string_view hint;
  switch (word.kind) {
    case TokenKind::RightBrace:
      break;
    case TokenKind::Else:
      hint = "an if stands before an else";
      break;
    case TokenKind::For:
    case TokenKind::While:
    case TokenKind::Do:
    case TokenKind::Goto:
    case TokenKind::Break:
    case TokenKind::Continue:
      hint = "D has no loops, as a probe must end";
      break;
    case TokenKind::Switch:
    case TokenKind::Case:
    case TokenKind::Default:
      hint = "D has if and else, and ?:";
      break;
    case TokenKind::Return:
      hint = "a predicate or an if decides what is executed";
      break;
    default:
      if (!begins_declaration(word.kind) || word.kind == TokenKind::This ||
          word.kind == TokenKind::Self) {
        return;
      }
      hint = declaration_hint;
      break;
  }
  Diagnostic* told = fail_at_word("a statement");
  if (told != nullptr) {
    told->hint = hint;
  }
}

}  // namespace kinst::d
