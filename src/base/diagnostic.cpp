// Renders diagnostics with the line they speak of and a caret under it.
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
  return std::ranges::any_of(
      all_, [](const Diagnostic& one) { return one.severity == Severity::Error; });
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

// Blanks as wide as the text above the caret: tabs stay tabs.
std::string indentation(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace_if(
      blanks, [](char c) { return c != '\t'; }, ' ');
  return blanks;
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const Source& source, ShowTags tags) {
  const LineColumn at = line_column(source.text, diagnostic.span.begin);
  const std::string_view line = line_around(source.text, diagnostic.span.begin);
  const std::size_t start = std::min<std::size_t>(at.column - 1, line.size());
  const std::size_t span_length =
      std::max<std::size_t>(diagnostic.span.end - diagnostic.span.begin, 1);
  const std::size_t carets = std::clamp<std::size_t>(
      span_length, 1, std::max<std::size_t>(1, line.size() - start));

  std::string out = fmt::format(
      "{} {}: {}line {}, column {}: {}\n",
      diagnostic.severity == Severity::Error ? "failed to compile" : "warning:",
      source.name,
      tags == ShowTags::Yes ? fmt::format("[{}] ", diagnostic.tag) : std::string(),
      at.line, at.column, diagnostic.message);
  out += fmt::format("{:>5} | {}\n", at.line, line);
  out += fmt::format("      | {}{}{}{}\n", indentation(line.substr(0, start)),
                     std::string(carets, '^'), diagnostic.label.empty() ? "" : " ",
                     diagnostic.label);
  if (!diagnostic.hint.empty()) {
    out += fmt::format("      hint: {}\n", diagnostic.hint);
  }
  return out;
}

}  // namespace kinst
