// Diagnostics: what is wrong with a D program, as data. Only render() turns them into
// text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinst {

/// What a preprocessor's `# 12 "file.h"` says about the lines behind it.
struct LineMarker {
  std::uint32_t begin = 0;  ///< offset of the first byte of the line so numbered
  std::uint32_t line = 1;   ///< that line's number
  std::string file;         ///< as written; empty for the source itself

  bool operator==(const LineMarker&) const = default;
};

/// A program text and where it came from. Spans point into `text`. One compilation has
/// several: D libraries, -s files, -n texts.
struct Source {
  /// "prog.d" for a file; for a command-line program how dtrace(1) names it, as
  /// "probe description kinst::f:4" or "program text"; rendered as given.
  std::string name;
  std::string text;
  /// In the order of the text; the lexer finds them.
  std::vector<LineMarker> line_markers;
};

/// A half-open range of bytes of a Source's text.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t source = 0;  ///< index among the compilation's Sources

  bool operator==(const Span&) const = default;
};

/// 1-based; columns count bytes, as DTrace's and compilers' messages do.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  bool operator==(const LineColumn&) const = default;
};

enum class Severity { Error, Warning };

/// One thing wrong with a program.
struct Diagnostic {
  Severity severity = Severity::Error;
  /// DTrace's stable tag where DTrace has one: "D_SYNTAX", "D_PDESC_ZERO", ….
  std::string tag;
  Span span;
  /// One sentence, without the place and without a full stop.
  std::string message;
  /// What would work; may be empty.
  std::string hint;
  /// What stands under the caret, "'a' is int[4]"; may be empty.
  std::string label;

  bool operator==(const Diagnostic&) const = default;
};

/// Collects diagnostics, so that several errors are reported in one go.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic);
  /// An error at `span`; returns the stored diagnostic so that a hint can be added.
  Diagnostic& error(std::string_view tag, Span span, std::string message);
  Diagnostic& warning(std::string_view tag, Span span, std::string message);

  [[nodiscard]] bool has_errors() const;
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
};

/// The line and column of byte `offset` of `text`. Ignores line markers.
LineColumn line_column(std::string_view text, std::uint32_t offset);

/// Where a span begins in the user's own file: the position after line markers have
/// been applied.
struct Position {
  std::string file;  ///< of the line marker in force; empty for the source itself
  LineColumn at;

  bool operator==(const Position&) const = default;
};
Position position_of(const Span& span, const Source& source);

enum class ShowTags { No, Yes };

/// The diagnostic as the user reads it, each line ended by '\n', for example
///   failed to compile script prog.d: [D_PRED_SCALAR] line 4, column 2: predicate …
///       4 | /a/
///         |  ^ 'a' is int[4]
///         hint: test an element, as in /a[0]/
/// without the command's name before it, which the caller prints. Long lines are shown
/// in part, and bytes that a terminal would obey as '?'.
/// sources: the compilation's sources, which diagnostic.span.source is an index into.
std::string render(const Diagnostic& diagnostic, std::span<const Source> sources,
                   ShowTags tags);

}  // namespace kinst
