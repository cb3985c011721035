// The table of D's words.
#include "d/syntax/token.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kinst::d {

namespace {

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

constexpr std::array keywords = {
    Spelling{"auto", TokenKind::Auto},
    Spelling{"break", TokenKind::Break},
    Spelling{"case", TokenKind::Case},
    Spelling{"char", TokenKind::Char},
    Spelling{"const", TokenKind::Const},
    Spelling{"continue", TokenKind::Continue},
    Spelling{"counter", TokenKind::Counter},
    Spelling{"default", TokenKind::Default},
    Spelling{"do", TokenKind::Do},
    Spelling{"double", TokenKind::Double},
    Spelling{"else", TokenKind::Else},
    Spelling{"enum", TokenKind::Enum},
    Spelling{"extern", TokenKind::Extern},
    Spelling{"float", TokenKind::Float},
    Spelling{"for", TokenKind::For},
    Spelling{"goto", TokenKind::Goto},
    Spelling{"if", TokenKind::If},
    Spelling{"import", TokenKind::Import},
    Spelling{"inline", TokenKind::Inline},
    Spelling{"int", TokenKind::Int},
    Spelling{"long", TokenKind::Long},
    Spelling{"offsetof", TokenKind::Offsetof},
    Spelling{"probe", TokenKind::Probe},
    Spelling{"provider", TokenKind::Provider},
    Spelling{"register", TokenKind::Register},
    Spelling{"restrict", TokenKind::Restrict},
    Spelling{"return", TokenKind::Return},
    Spelling{"self", TokenKind::Self},
    Spelling{"short", TokenKind::Short},
    Spelling{"signed", TokenKind::Signed},
    Spelling{"sizeof", TokenKind::Sizeof},
    Spelling{"static", TokenKind::Static},
    Spelling{"string", TokenKind::StringType},
    Spelling{"stringof", TokenKind::Stringof},
    Spelling{"struct", TokenKind::Struct},
    Spelling{"switch", TokenKind::Switch},
    Spelling{"this", TokenKind::This},
    Spelling{"translator", TokenKind::Translator},
    Spelling{"typedef", TokenKind::Typedef},
    Spelling{"union", TokenKind::Union},
    Spelling{"unsigned", TokenKind::Unsigned},
    Spelling{"void", TokenKind::Void},
    Spelling{"volatile", TokenKind::Volatile},
    Spelling{"while", TokenKind::While},
    Spelling{"xlate", TokenKind::Xlate},
};
static_assert(std::ranges::is_sorted(keywords, {}, &Spelling::text));

constexpr std::array punctuation = {
    Spelling{"(", TokenKind::LeftParen},
    Spelling{")", TokenKind::RightParen},
    Spelling{"[", TokenKind::LeftBracket},
    Spelling{"]", TokenKind::RightBracket},
    Spelling{"{", TokenKind::LeftBrace},
    Spelling{"}", TokenKind::RightBrace},
    Spelling{";", TokenKind::Semicolon},
    Spelling{",", TokenKind::Comma},
    Spelling{"?", TokenKind::Question},
    Spelling{":", TokenKind::Colon},
    Spelling{".", TokenKind::Dot},
    Spelling{"->", TokenKind::Arrow},
    Spelling{"...", TokenKind::Ellipsis},
    Spelling{"++", TokenKind::Increment},
    Spelling{"--", TokenKind::Decrement},
    Spelling{"!", TokenKind::Not},
    Spelling{"~", TokenKind::Tilde},
    Spelling{"*", TokenKind::Star},
    Spelling{"/", TokenKind::Slash},
    Spelling{"%", TokenKind::Percent},
    Spelling{"+", TokenKind::Plus},
    Spelling{"-", TokenKind::Minus},
    Spelling{"<<", TokenKind::ShiftLeft},
    Spelling{">>", TokenKind::ShiftRight},
    Spelling{"<", TokenKind::Less},
    Spelling{"<=", TokenKind::LessEqual},
    Spelling{">", TokenKind::Greater},
    Spelling{">=", TokenKind::GreaterEqual},
    Spelling{"==", TokenKind::EqualEqual},
    Spelling{"!=", TokenKind::NotEqual},
    Spelling{"&", TokenKind::And},
    Spelling{"^", TokenKind::Caret},
    Spelling{"|", TokenKind::Or},
    Spelling{"&&", TokenKind::AndAnd},
    Spelling{"^^", TokenKind::CaretCaret},
    Spelling{"||", TokenKind::OrOr},
    Spelling{"=", TokenKind::Assign},
    Spelling{"*=", TokenKind::StarAssign},
    Spelling{"/=", TokenKind::SlashAssign},
    Spelling{"%=", TokenKind::PercentAssign},
    Spelling{"+=", TokenKind::PlusAssign},
    Spelling{"-=", TokenKind::MinusAssign},
    Spelling{"<<=", TokenKind::ShiftLeftAssign},
    Spelling{">>=", TokenKind::ShiftRightAssign},
    Spelling{"&=", TokenKind::AndAssign},
    Spelling{"^=", TokenKind::CaretAssign},
    Spelling{"|=", TokenKind::OrAssign},
};

}  // namespace

TokenKind keyword(std::string_view word) {
  const auto* found = std::ranges::lower_bound(keywords, word, {}, &Spelling::text);
  return found != keywords.end() && found->text == word ? found->kind
                                                        : TokenKind::Identifier;
}

Punctuation longest_punctuation(std::string_view text) {
  Punctuation longest;
  for (const Spelling& spelling : punctuation) {
    if (spelling.text.size() > longest.length && text.starts_with(spelling.text)) {
      longest = {.kind = spelling.kind, .length = spelling.text.size()};
    }
  }
  return longest;
}

bool begins_type(TokenKind kind) {
  switch (kind) {
    case TokenKind::Char:
    case TokenKind::Const:
    case TokenKind::Double:
    case TokenKind::Enum:
    case TokenKind::Float:
    case TokenKind::Int:
    case TokenKind::Long:
    case TokenKind::Restrict:
    case TokenKind::Short:
    case TokenKind::Signed:
    case TokenKind::StringType:
    case TokenKind::Struct:
    case TokenKind::Union:
    case TokenKind::Unsigned:
    case TokenKind::Void:
    case TokenKind::Volatile:
      return true;
    default:
      return false;
  }
}

bool begins_declaration(TokenKind kind) {
  switch (kind) {
    case TokenKind::Auto:
    case TokenKind::Extern:
    case TokenKind::Inline:
    case TokenKind::Provider:
    case TokenKind::Register:
    case TokenKind::Self:
    case TokenKind::Static:
    case TokenKind::This:
    case TokenKind::Translator:
    case TokenKind::Typedef:
      return true;
    default:
      return begins_type(kind);
  }
}

std::string describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::End:
      return "the end of the text";
    case TokenKind::Invalid:
      return "an invalid word";
    case TokenKind::Identifier:
      return "an identifier";
    case TokenKind::Integer:
      return "an integer";
    case TokenKind::String:
      return "a string";
    case TokenKind::Aggregation:
      return "an aggregation";
    default:
      break;
  }
  for (const Spelling& keyword : keywords) {
    if (keyword.kind == kind) {
      return "'" + std::string(keyword.text) + "'";
    }
  }
  const auto* found = std::ranges::find(punctuation, kind, &Spelling::kind);
  return "'" + std::string(found->text) + "'";
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::Identifier:
      return "'" + token.text + "'";
    case TokenKind::Aggregation:
      return "'@" + token.text + "'";
    default:
      return describe(token.kind);
  }
}

}  // namespace kinst::d
