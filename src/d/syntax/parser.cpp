// The parser's words and its recovery from errors.
#include "d/syntax/parser.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "d/tables/other_tracers_words.h"

namespace kinst::d {

namespace {

// How deep rules may call each other: a stack of 8 MB holds that many frames of all of
// them, with the sanitizers' additions (16 KB for a level of parentheses) too.
constexpr std::uint32_t most_nesting = 200;

// English for D's operators. before: the word before it.
std::string hint_for_operator(std::string_view word, std::string_view before) {
  if (word == "and" || word == "or") {
    return fmt::format("in D this is {}", word == "and" ? "&&" : "||");
  }
  return before == "not" ? "in D this is !" : std::string();
}

}  // namespace

Parser::Parser(Source& source, std::uint32_t index, const ParseOptions& options,
               Diagnostics& diagnostics)
    : options_(options),
      diagnostics_(diagnostics),
      index_(index),
      lexer_(source, index, options.macros, diagnostics) {}

const Token& Parser::peek(std::size_t ahead) {
  if (has_failed_) {
    return invalid_;
  }
  while (ahead_.size() <= ahead) {
    ahead_.push_back(lexer_.next());
  }
  return gives_up() ? invalid_ : ahead_[ahead];
}

Token Parser::take() {
  Token token = peek();
  if (!has_failed_) {
    ahead_.pop_front();
    last_ = token.span;
    braces_ += token.kind == TokenKind::LeftBrace ? 1U : 0U;
    braces_ -= token.kind == TokenKind::RightBrace && braces_ > 0 ? 1U : 0U;
  }
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (peek().kind != kind) {
    return false;
  }
  take();
  return true;
}

bool Parser::expect(TokenKind kind, std::string_view where) {
  if (accept(kind)) {
    return true;
  }
  fail_at_word(fmt::format("{} {}", describe(kind), where));
  return false;
}

Span Parser::span_since(const Span& begin) const {
  return {
      .begin = begin.begin, .end = std::max(begin.end, last_.end), .source = index_};
}

// Returns the diagnostic, so that the caller can add a hint; null if an error has been
// reported already.
Diagnostic* Parser::fail(std::string_view tag, Span span, std::string message) {
  if (has_failed_) {
    return nullptr;
  }
  has_failed_ = true;
  return &diagnostics_.error(tag, span, std::move(message));
}

Diagnostic* Parser::fail_at_word(std::string_view expected) {
  const Token& word = peek();
  if (word.kind == TokenKind::Invalid) {
    // The lexer has said what is wrong.
    has_failed_ = true;
    return nullptr;
  }
  // No error can come behind the end of the text: this is the last one.
  has_given_up_ = has_given_up_ || word.kind == TokenKind::End;
  std::string hint;
  if (is_comment_of_cpp(lexer_.text(), word.span.begin)) {
    hint = comment_hint;
  } else if (word.kind == TokenKind::Identifier) {
    hint = hint_for_operator(
        word.text, lexer_.text().substr(last_.begin, last_.end - last_.begin));
  }
  Diagnostic* told =
      fail("D_SYNTAX", word.span,
           fmt::format("syntax error near {}: expected {}", describe(word), expected));
  if (told != nullptr) {
    told->hint = std::move(hint);
  }
  return told;
}

void Parser::fail_for_good(Span span, std::string message) {
  has_failed_ = true;
  if (!has_given_up_) {
    has_given_up_ = true;
    diagnostics_.error("D_SYNTAX", span, std::move(message));
    lexer_.stop();
  }
}

// Whether parsing has ended before its time.
bool Parser::gives_up() {
  if (!has_given_up_ && lexer_.has_stopped()) {
    if (lexer_.has_too_many_errors()) {
      diagnostics_.error("D_SYNTAX", diagnostics_.all().back().span,
                         "too many errors; the rest was not read");
    }
    has_failed_ = true;
    has_given_up_ = true;
  }
  return has_given_up_;
}

bool Parser::enter(Span span) {
  ++nesting_;
  if (nesting_ > most_nesting) {
    fail_for_good(span, "the program is nested too deeply");
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- recovery

// Behind the next ';' of this block that is in no parentheses, or before its '}'.
void Parser::recover_in_block() {
  begin_recovery();
  std::size_t braces = 0;
  std::size_t parentheses = 0;
  while (!gives_up() && peek().kind != TokenKind::End) {
    const TokenKind kind = peek().kind;
    if (kind == TokenKind::RightBrace && braces == 0) {
      break;
    }
    take();
    braces += kind == TokenKind::LeftBrace ? 1U : 0U;
    braces -= kind == TokenKind::RightBrace ? 1U : 0U;
    parentheses += kind == TokenKind::LeftParen ? 1U : 0U;
    parentheses -= kind == TokenKind::RightParen && parentheses > 0 ? 1U : 0U;
    if (kind == TokenKind::Semicolon && braces == 0 && parentheses == 0) {
      break;
    }
  }
  end_recovery();
}

// Before the '{' of a clause whose predicate is wrong.
void Parser::recover_before_body() {
  begin_recovery();
  while (!gives_up() && peek().kind != TokenKind::End &&
         peek().kind != TokenKind::LeftBrace) {
    take();
  }
  end_recovery();
}

// Behind the ';' or the '}' that ends the declaration or clause.
void Parser::recover_between_clauses() {
  begin_recovery();
  while (!gives_up() && peek().kind != TokenKind::End) {
    const TokenKind kind = take().kind;
    const bool is_end = kind == TokenKind::Semicolon || kind == TokenKind::RightBrace;
    if (is_end && braces_ == 0) {
      break;
    }
  }
  end_recovery();
  if (!gives_up() && lexer_.peek_outer().text == ";") {
    lexer_.consume_outer(1);
  }
}

void Parser::begin_recovery() {
  has_failed_ = false;
  groups_ = 0;
  lexer_.set_reporting(false);
}

void Parser::end_recovery() {
  return_words();
  lexer_.set_reporting(true);
}

// Gives words that were read ahead but not used back to the lexer, which may then read
// them as outer words.
void Parser::return_words() {
  if (!ahead_.empty() && !has_given_up_) {
    lexer_.return_to(ahead_.front().span.begin);
  }
  ahead_.clear();
}

}  // namespace kinst::d
