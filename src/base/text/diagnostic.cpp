// Renders diagnostics with the line they speak of and a caret under it.
#include "base/text/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "base/text/utf8.h"

namespace kinst {

void Diagnostics::add(Diagnostic diagnostic) {
  all_.push_back(std::move(diagnostic));
}

Diagnostic& Diagnostics::error(std::string_view tag, Span span, std::string message) {
  all_.push_back(Diagnostic{.severity = Severity::Error,
                            .tag = std::string(tag),
                            .span = span,
                            .message = std::move(message),
                            .hint = {},
                            .label = {}});
  return all_.back();
}

Diagnostic& Diagnostics::warning(std::string_view tag, Span span, std::string message) {
  Diagnostic& added = error(tag, span, std::move(message));
  added.severity = Severity::Warning;
  return added;
}

bool Diagnostics::has_errors() const {
  return std::ranges::any_of(all_, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::Error;
  });
}

LineColumn line_column(std::string_view text, std::uint32_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return {.line = static_cast<std::uint32_t>(line),
          .column = static_cast<std::uint32_t>(column + 1)};
}

namespace {

// The whole line that byte `offset` stands on, without its newline.
std::string_view line_around(std::string_view text, std::uint32_t offset) {
  const std::size_t at = std::min<std::size_t>(offset, text.size());
  const std::size_t newline =
      at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return text.substr(begin, end - begin);
}

// The part of a line that is shown, and where the caret goes in it.
struct Excerpt {
  std::string text;
  std::size_t column = 0;  // 0-based
};

// At most this many bytes before the caret and behind it; a line of a generated or
// binary file can be as long as the file.
constexpr std::size_t most_bytes_before = 100;
constexpr std::size_t most_bytes_behind = 100;

Excerpt excerpt(std::string_view line, std::size_t column) {
  const bool is_text = is_utf8(line);
  const std::size_t begin =
      column > most_bytes_before ? column - most_bytes_before : std::size_t{0};
  Excerpt part{
      .text = std::string(line.substr(begin, column - begin + most_bytes_behind)),
      .column = column - begin};
  std::ranges::replace_if(
      part.text,
      [is_text](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < ' ' && c != '\t') || byte == 127 || (byte > 127 && !is_text);
      },
      '?');
  return part;
}

// Blanks as wide as the text above the caret: tabs stay tabs.
std::string indentation(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace_if(
      blanks, [](char c) { return c != '\t'; }, ' ');
  return blanks;
}

}  // namespace

Position position_of(const Span& span, const Source& source) {
  const auto behind =
      std::ranges::upper_bound(source.line_markers, span.begin, {}, &LineMarker::begin);
  if (behind == source.line_markers.begin()) {
    return {.file = {}, .at = line_column(source.text, span.begin)};
  }
  const LineMarker& marker = *std::prev(behind);
  LineColumn at = line_column(std::string_view(source.text).substr(marker.begin),
                              span.begin - marker.begin);
  at.line += marker.line - 1;
  return {.file = marker.file, .at = at};
}

std::string render(const Diagnostic& diagnostic, std::span<const Source> sources,
                   ShowTags tags) {
  assert(diagnostic.span.source < sources.size());
  const Source& source = sources[diagnostic.span.source];
  const Position position = position_of(diagnostic.span, source);
  const std::string_view line = line_around(source.text, diagnostic.span.begin);
  const Excerpt shown =
      excerpt(line, std::min<std::size_t>(position.at.column - 1, line.size()));
  const std::size_t span_length =
      std::max<std::size_t>(diagnostic.span.end - diagnostic.span.begin, 1);
  const std::size_t carets = std::clamp<std::size_t>(
      span_length, 1, std::max<std::size_t>(1, shown.text.size() - shown.column));

  // Who asks for tags may look for libdtrace's "[TAG] line N:"; the caret shows the
  // column.
  const bool has_tag = tags == ShowTags::Yes;
  std::string out = fmt::format(
      "{} {}: {}{}line {}{}: {}\n",
      diagnostic.severity == Severity::Error ? "failed to compile" : "warning:",
      source.name, has_tag ? fmt::format("[{}] ", diagnostic.tag) : std::string(),
      position.file.empty() ? std::string() : fmt::format("\"{}\", ", position.file),
      position.at.line,
      has_tag ? std::string() : fmt::format(", column {}", position.at.column),
      diagnostic.message);
  out += fmt::format("{:>5} | {}\n", position.at.line, shown.text);
  out += fmt::format("      | {}{}{}{}\n",
                     indentation(std::string_view(shown.text).substr(0, shown.column)),
                     std::string(carets, '^'), diagnostic.label.empty() ? "" : " ",
                     diagnostic.label);
  if (!diagnostic.hint.empty()) {
    out += fmt::format("      hint: {}\n", diagnostic.hint);
  }
  return out;
}

}  // namespace kinst
