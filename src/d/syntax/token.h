// The words of D.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/diagnostic.h"

namespace kinst::d {

enum class TokenKind : std::uint8_t {
  End,      ///< of the text
  Invalid,  ///< no word of D; it has been reported
  Identifier,
  Integer,
  String,
  Aggregation,  ///< "@name"; text is "_" for "@"
  // Keywords.
  Auto,
  Break,
  Case,
  Char,
  Const,
  Continue,
  Counter,
  Default,
  Do,
  Double,
  Else,
  Enum,
  Extern,
  Float,
  For,
  Goto,
  If,
  Import,
  Inline,
  Int,
  Long,
  Offsetof,
  Probe,
  Provider,
  Register,
  Restrict,
  Return,
  Self,
  Short,
  Signed,
  Sizeof,
  Static,
  StringType,
  Stringof,
  Struct,
  Switch,
  This,
  Translator,
  Typedef,
  Union,
  Unsigned,
  Void,
  Volatile,
  While,
  Xlate,
  // Punctuation.
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Semicolon,
  Comma,
  Question,
  Colon,
  Dot,
  Arrow,
  Ellipsis,
  Increment,
  Decrement,
  Not,
  Tilde,
  Star,
  Slash,
  Percent,
  Plus,
  Minus,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  And,
  Caret,
  Or,
  AndAnd,
  CaretCaret,
  OrOr,
  Assign,
  StarAssign,
  SlashAssign,
  PercentAssign,
  PlusAssign,
  MinusAssign,
  ShiftLeftAssign,
  ShiftRightAssign,
  AndAssign,
  CaretAssign,
  OrAssign,
};

struct Token {
  TokenKind kind = TokenKind::End;
  Span span;
  /// An identifier's name, an aggregation's without '@', a string's bytes with escapes
  /// replaced. Empty for others.
  std::string text;
  // Of integers:
  std::uint64_t value = 0;
  bool is_negative = false;  ///< a macro argument may be "-5"
  bool is_decimal = true;
  bool has_unsigned_suffix = false;
  std::uint8_t long_suffixes = 0;
  bool is_character = false;
};

/// The keyword that `word` is, or TokenKind::Identifier.
TokenKind keyword(std::string_view word);

struct Punctuation {
  TokenKind kind = TokenKind::End;
  std::size_t length = 0;  ///< in bytes; 0 when the text begins with none
};

/// The longest punctuation that `text` begins with.
Punctuation longest_punctuation(std::string_view text);

/// A keyword that can begin a declaration outside clauses: `int`, `self`, `inline`, ….
bool begins_declaration(TokenKind kind);

/// A keyword that can begin a type's name: `int`, `struct`, `const`, ….
bool begins_type(TokenKind kind);

/// How the token is spelled, as for messages: "'('", "an integer", "the end of the
/// text".
std::string describe(const Token& token);
std::string describe(TokenKind kind);

}  // namespace kinst::d
