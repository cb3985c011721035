// D text into words.
//
// D has two vocabularies: what stands between clauses (probe descriptions, whose names
// hold '-', '*', ':', …) and what stands in them. Which one applies only the parser
// knows, so words are read on demand.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/syntax/ast.h"
#include "d/syntax/control_line.h"
#include "d/syntax/macros.h"
#include "d/syntax/token.h"

namespace kinst::d {

/// What stands between clauses.
struct OuterWord {
  enum class Kind : std::uint8_t {
    End,
    Description,  ///< or a declaration's first word: the parser decides
    Number,       ///< a probe's number
    Other,        ///< one byte: ',', '/', '{' or what is wrong there
  };
  Kind kind = Kind::End;
  Span span;
  std::string_view text;  ///< as written, quotes included; of the source
};

/// Reads one source's text. Comments and control lines are dealt with on the way.
class Lexer {
 public:
  /// source: its line_markers are filled while reading. Both references and
  /// `diagnostics` must outlive the lexer. index: what spans say about the source.
  Lexer(Source& source, std::uint32_t index, const MacroValues& macros,
        Diagnostics& diagnostics);

  /// The next word of a clause or declaration. Text that is not a word of D is reported
  /// and becomes TokenKind::Invalid.
  Token next();

  /// The next word between clauses, which is not consumed.
  OuterWord peek_outer();
  /// Moves behind `length` bytes of the word that peek_outer() gave.
  void consume_outer(std::size_t length);

  /// While off, nothing is reported: the parser is skipping to a place to go on from.
  void set_reporting(bool is_on) { is_reporting_ = is_on; }

  /// Makes the lexer behave as at the end of the text from now on. The lexer also stops
  /// by itself: at a comment or literal that runs to the end of the text, and after too
  /// many errors.
  void stop();
  [[nodiscard]] bool has_stopped() const { return has_stopped_; }
  [[nodiscard]] bool has_too_many_errors() const;

  /// All of the text.
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Goes back to a word's first byte.
  void return_to(std::size_t begin) { at_ = begin; }

  [[nodiscard]] std::vector<Pragma> take_pragmas() { return std::move(pragmas_); }
  [[nodiscard]] MacroExpander& macros() { return macros_; }
  /// The text has set the option pspec so far.
  [[nodiscard]] bool prefers_descriptions() const { return prefers_descriptions_; }

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] Span span_from(std::size_t begin) const;
  void report(std::string_view tag, Span span, std::string message,
              std::string hint = {});

  // Blanks, comments, control lines.
  void skip_blanks();
  void skip_comment();
  void skip_control_line();
  void mark_line(const LineDirective& directive, std::size_t begin);
  [[nodiscard]] bool is_at_line_start() const;

  // Kinds of words; each begins at at_ and moves behind it.
  Token read_word();
  Token read_name();
  Token read_integer();
  struct Endless {
    std::string_view newline_tag;
    std::string_view literal;
  };
  Token refuse_endless(std::size_t begin, bool has_newline, const Endless& told);
  Token read_string();
  Token read_character();
  Token read_aggregation();
  Token read_macro();
  Token read_unknown();
  Token macro_value(const std::string& text, Span span);

  Source& source_;
  std::string_view text_;
  std::uint32_t index_;
  MacroExpander macros_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::size_t diagnostics_before_;
  bool has_stopped_ = false;
  bool is_reporting_ = true;
  bool is_member_next_ = false;  // behind '.' or '->' keywords are names
  std::vector<Pragma> pragmas_;
  bool prefers_descriptions_ = false;
};

}  // namespace kinst::d
