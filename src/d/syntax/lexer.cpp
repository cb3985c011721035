#include "d/syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/printable.h"
#include "d/syntax/characters.h"
#include "d/syntax/literals.h"
#include "d/tables/other_tracers_words.h"

namespace kinst::d {

namespace {

// More errors would help nobody, and a binary file could produce thousands.
constexpr std::size_t most_errors = 20;

// Bytes of a probe description outside quotes. DTrace's, and those that instruction
// selectors (call@kfree, =cmpxchg*) and names from other languages need. Bytes of UTF-8
// are letters to us.
bool is_description_part(char c) {
  constexpr std::string_view others = "-$:.?*\\[]!`@=+";
  return is_name_part(c) || others.find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The length of the description that `text` begins with, quoted parts included; 0 when
// a quote does not end on its line.
std::size_t description_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      const std::size_t end = text.find_first_of("\"\n", at + 1);
      if (end == std::string_view::npos || text[end] == '\n') {
        return 0;
      }
      at = end + 1;
    } else if (is_description_part(text[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t count_while(std::string_view text, bool (*predicate)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, predicate) -
                                  text.begin());
}

bool is_scoped_name_part(char c) {
  return is_name_part(c) || c == '`';
}

// The bytes of a literal between its quotes, and whether it ends on its line.
struct Quoted {
  std::string_view inner;
  std::size_t length = 0;  // with quotes, as far as it goes
  bool has_end = false;
  bool has_newline = false;
};

Quoted read_quoted(std::string_view text) {
  const char quote = text.front();
  std::size_t at = 1;
  while (at < text.size() && text[at] != quote && text[at] != '\n') {
    const bool is_escape =
        text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n';
    at += is_escape ? 2U : 1U;
  }
  const bool has_end = at < text.size() && text[at] == quote;
  return {.inner = text.substr(1, at - 1),
          .length = has_end ? at + 1 : at,
          .has_end = has_end,
          .has_newline = at < text.size() && text[at] == '\n'};
}

}  // namespace

Lexer::Lexer(Source& source, std::uint32_t index, const MacroValues& macros,
             Diagnostics& diagnostics)
    : source_(source),
      text_(source.text),
      index_(index),
      macros_(macros),
      diagnostics_(diagnostics),
      diagnostics_before_(diagnostics.all().size()) {}

Span Lexer::span_from(std::size_t begin) const {
  return {.begin = static_cast<std::uint32_t>(begin),
          .end = static_cast<std::uint32_t>(at_),
          .source = index_};
}

bool Lexer::has_too_many_errors() const {
  return diagnostics_.all().size() - diagnostics_before_ >= most_errors;
}

void Lexer::stop() {
  text_ = text_.substr(0, at_);
  has_stopped_ = true;
}

void Lexer::report(std::string_view tag, Span span, std::string message,
                   std::string hint) {
  if (is_reporting_) {
    diagnostics_.error(tag, span, std::move(message)).hint = std::move(hint);
  }
}

// ---------------------------------------------------------------- between words

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (has_too_many_errors()) {
      stop();
      return;
    }
    const char c = text_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (rest().starts_with("\\\n")) {
      at_ += 2;
    } else if (rest().starts_with("/*")) {
      skip_comment();
    } else if (c == '#' && is_at_line_start()) {
      skip_control_line();
    } else {
      return;
    }
  }
}

void Lexer::skip_comment() {
  const std::size_t begin = at_;
  const std::size_t end = text_.find("*/", begin + 2);
  const std::size_t nested = text_.substr(0, end).find("/*", begin + 2);
  if (nested != std::string_view::npos && end != std::string_view::npos) {
    at_ = nested + 2;
    report("D_SYNTAX", span_from(nested), "/* encountered inside a comment");
  }
  if (end == std::string_view::npos) {
    at_ = begin + 2;
    report("D_SYNTAX", span_from(begin), "comment does not end: */ is missing");
    stop();
    return;
  }
  at_ = end + 2;
}

bool Lexer::is_at_line_start() const {
  std::size_t begin = at_;
  while (begin > 0 && text_[begin - 1] != '\n' && is_blank(text_[begin - 1])) {
    --begin;
  }
  return begin == 0 || text_[begin - 1] == '\n';
}

void Lexer::skip_control_line() {
  const std::size_t begin = at_;
  const std::size_t newline = text_.find('\n', begin);
  at_ = std::min(newline, text_.size());
  const std::string_view line = text_.substr(begin + 1, at_ - begin - 1);
  if (line.starts_with('!')) {
    return;  // "#!/usr/sbin/kinst -s"
  }
  if (newline == std::string_view::npos) {
    report("D_SYNTAX", span_from(begin),
           "control line does not end: newline is missing");
    return;
  }
  Diagnostics ignored;
  ControlLine meaning =
      read_control_line(line, span_from(begin), is_reporting_ ? diagnostics_ : ignored);
  if (const auto* directive = std::get_if<LineDirective>(&meaning)) {
    mark_line(*directive, newline + 1);
  } else if (auto* pragma = std::get_if<Pragma>(&meaning)) {
    const auto* option = std::get_if<OptionPragma>(&pragma->node);
    if (option != nullptr && option->name == "defaultargs") {
      macros_.set_default_arguments();
    }
    prefers_descriptions_ =
        prefers_descriptions_ || (option != nullptr && option->name == "pspec");
    pragmas_.push_back(std::move(*pragma));
  }
}

void Lexer::mark_line(const LineDirective& directive, std::size_t begin) {
  // What cpp calls its own input is the source itself.
  const bool is_input = directive.file == "<stdin>" || directive.file == "/dev/stdin";
  const std::string before =
      source_.line_markers.empty() ? std::string() : source_.line_markers.back().file;
  source_.line_markers.push_back(
      {.begin = static_cast<std::uint32_t>(begin),
       .line = directive.line,
       .file = is_input ? std::string() : directive.file.value_or(before)});
}

// ---------------------------------------------------------------- between clauses

OuterWord Lexer::peek_outer() {
  skip_blanks();
  const auto word = [&](OuterWord::Kind kind, std::size_t length) {
    return OuterWord{.kind = kind,
                     .span = {.begin = static_cast<std::uint32_t>(at_),
                              .end = static_cast<std::uint32_t>(at_ + length),
                              .source = index_},
                     .text = text_.substr(at_, length)};
  };
  if (at_ >= text_.size()) {
    return word(OuterWord::Kind::End, 0);
  }
  const std::size_t length = description_length(rest());
  if (length == 0) {
    return word(OuterWord::Kind::Other, 1);
  }
  const bool is_number = std::ranges::all_of(rest().substr(0, length), is_digit);
  return word(is_number ? OuterWord::Kind::Number : OuterWord::Kind::Description,
              length);
}

void Lexer::consume_outer(std::size_t length) {
  at_ += length;
  is_member_next_ = false;
}

// ---------------------------------------------------------------- words

Token Lexer::next() {
  skip_blanks();
  const std::size_t begin = at_;
  Token token;
  if (at_ < text_.size()) {
    token = read_word();
  }
  token.span = span_from(begin);
  is_member_next_ = token.kind == TokenKind::Dot || token.kind == TokenKind::Arrow;
  return token;
}

Token Lexer::read_word() {
  const char c = text_[at_];
  if (is_digit(c)) {
    const std::size_t name = count_while(rest(), is_scoped_name_part);
    const bool is_scoped = rest().substr(0, name).find('`') != std::string_view::npos;
    return is_scoped ? read_name() : read_integer();
  }
  if (is_name_start(c) || c == '`') {
    return read_name();
  }
  switch (c) {
    case '"':
      return read_string();
    case '\'':
      return read_character();
    case '@':
      return read_aggregation();
    case '$':
      return read_macro();
    default:
      break;
  }
  if (rest().starts_with(".") && rest().size() > 1 && is_digit(rest()[1])) {
    return read_integer();
  }
  const Punctuation punctuation = longest_punctuation(rest());
  if (punctuation.length == 0) {
    return read_unknown();
  }
  at_ += punctuation.length;
  return {.kind = punctuation.kind, .span = {}, .text = {}};
}

Token Lexer::read_name() {
  const std::size_t length = count_while(rest(), is_scoped_name_part);
  const std::string_view text = rest().substr(0, length);
  at_ += length;
  const TokenKind kind = is_member_next_ ? TokenKind::Identifier : keyword(text);
  return {.kind = kind, .span = {}, .text = std::string(text)};
}

Token Lexer::read_integer() {
  const std::size_t begin = at_;
  const Number number = read_number(rest());
  at_ += number.length;
  if (!number.error_tag.empty()) {
    report(number.error_tag, span_from(begin), number.error);
  }
  return {.kind = TokenKind::Integer,
          .span = {},
          .text = {},
          .value = number.value,
          .is_decimal = number.is_decimal,
          .has_unsigned_suffix = number.has_unsigned_suffix,
          .long_suffixes = number.long_suffixes};
}

// What is wrong with a literal that does not end on its line. Nothing in it, or behind
// it on that line, is worth reading.
Token Lexer::refuse_endless(std::size_t begin, bool has_newline, const Endless& told) {
  Span span = span_from(begin);
  span.end = span.begin + 1;
  report(has_newline ? told.newline_tag : "D_SYNTAX", span,
         has_newline ? fmt::format("newline encountered in {}", told.literal)
                     : fmt::format("{} does not end: a {} is missing", told.literal,
                                   text_[begin]));
  if (!has_newline) {
    stop();
  }
  return {.kind = TokenKind::Invalid, .span = {}, .text = {}};
}

Token Lexer::read_string() {
  const std::size_t begin = at_;
  const Quoted quoted = read_quoted(rest());
  at_ += quoted.length;
  if (!quoted.has_end) {
    return refuse_endless(begin, quoted.has_newline, {"D_STR_NL", "string literal"});
  }
  return {.kind = TokenKind::String, .span = {}, .text = unescape_string(quoted.inner)};
}

Token Lexer::read_character() {
  const std::size_t begin = at_;
  const Quoted quoted = read_quoted(rest());
  at_ += quoted.length;
  if (!quoted.has_end) {
    return refuse_endless(begin, quoted.has_newline,
                          {"D_CHR_NL", "character constant"});
  }
  const std::string bytes = unescape_character(quoted.inner);
  if (bytes.empty()) {
    report("D_CHR_NULL", span_from(begin), "empty character constant",
           R"(an empty text is "")");
  } else if (bytes.size() > sizeof(std::uint64_t)) {
    report("D_CHR_OFLOW", span_from(begin), "character constant is too long",
           fmt::format("text stands in double quotes: \"{}\"", quoted.inner));
  }
  Token token{.kind = TokenKind::Integer, .span = {}, .text = {}, .is_character = true};
  for (const char byte : bytes) {
    token.value = (token.value << 8U) | static_cast<unsigned char>(byte);
  }
  return token;
}

Token Lexer::read_aggregation() {
  ++at_;
  const bool is_named = at_ < text_.size() && is_name_start(text_[at_]);
  const std::size_t length = is_named ? count_while(rest(), is_name_part) : 0;
  const std::string_view name = rest().substr(0, length);
  at_ += length;
  return {.kind = TokenKind::Aggregation,
          .span = {},
          .text = std::string(is_named ? name : "_")};
}

Token Lexer::read_macro() {
  const std::size_t begin = at_;
  const MacroReference reference = read_macro_reference(rest());
  at_ += reference.length;
  const Span span = span_from(begin);
  Result<std::string> value = macros_.expand(reference);
  if (!value) {
    report(reference.name.empty() ? "D_SYNTAX" : "D_MACRO_UNDEF", span,
           value.error().message);
    return {.kind = TokenKind::Invalid, .span = {}, .text = {}};
  }
  if (reference.form == MacroForm::Text) {
    return {.kind = TokenKind::String, .span = {}, .text = unescape_string(*value)};
  }
  return macro_value(*value, span);
}

// The argument's text decides what `$1` becomes: an integer, a name, or else a string,
// without its own quotes.
Token Lexer::macro_value(const std::string& text, Span span) {
  if (const std::optional<SignedNumber> whole = read_whole_number(text)) {
    const Number& number = whole->number;
    if (!number.error_tag.empty()) {
      report(number.error_tag, span, fmt::format("macro argument's {}", number.error));
    }
    return {.kind = TokenKind::Integer,
            .span = {},
            .text = {},
            .value = number.value,
            .is_negative = whole->is_negative,
            .is_decimal = number.is_decimal,
            .has_unsigned_suffix = number.has_unsigned_suffix,
            .long_suffixes = number.long_suffixes};
  }
  const bool is_name = !text.empty() && !is_digit(text.front()) &&
                       std::ranges::all_of(text, is_scoped_name_part);
  if (is_name) {
    return {.kind = TokenKind::Identifier, .span = {}, .text = text};
  }
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return {.kind = TokenKind::String,
          .span = {},
          .text = unescape_string(
              is_quoted ? std::string_view(text).substr(1, text.size() - 2) : text)};
}

namespace {

// What people write for it in other languages, or what their editor made of it.
std::string hint_for_unknown(std::string_view text) {
  if (text.front() == '#') {
    return std::string(comment_hint);
  }
  for (const std::string_view quote : {"\u201c", "\u201d", "\u201e"}) {
    if (text.starts_with(quote)) {
      return R"(text stands in straight quotes: "text")";
    }
  }
  return {};
}

}  // namespace

// Neighbouring bytes that are no D are reported together.
Token Lexer::read_unknown() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && longest_punctuation(rest()).length == 0 &&
         !is_scoped_name_part(text_[at_]) && !is_blank(text_[at_]) &&
         std::string_view("\"'@$").find(text_[at_]) == std::string_view::npos) {
    ++at_;
  }
  const std::string_view unknown = text_.substr(begin, at_ - begin);
  report(
      "D_SYNTAX", span_from(begin),
      fmt::format("syntax error near '{}': no word of D begins so", printable(unknown)),
      hint_for_unknown(unknown));
  return {.kind = TokenKind::Invalid, .span = {}, .text = {}};
}

}  // namespace kinst::d
