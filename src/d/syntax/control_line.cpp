#include "d/syntax/control_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/text/near_names.h"
#include "d/syntax/characters.h"
#include "d/syntax/literals.h"

namespace kinst::d {

namespace {

enum class WordKind : std::uint8_t { Name, Integer, String };

struct LineWord {
  WordKind kind = WordKind::Name;
  std::string text;
  std::uint64_t value = 0;
};

using LineWords = std::span<const LineWord>;

bool is_line_blank(char c) {
  return c != '\n' && is_blank(c);
}

LineWord plain_word(std::string_view text) {
  const std::optional<SignedNumber> number =
      is_digit(text.front()) ? read_whole_number(text) : std::nullopt;
  return {.kind = number ? WordKind::Integer : WordKind::Name,
          .text = std::string(text),
          .value = number ? number->number.value : 0};
}

// The words of a line; nothing when a string does not end.
std::optional<std::vector<LineWord>> split(std::string_view line) {
  std::vector<LineWord> words;
  std::size_t at = 0;
  while (at < line.size()) {
    if (is_line_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    if (line[at] != '"') {
      while (at < line.size() && !is_line_blank(line[at]) && line[at] != '"') {
        ++at;
      }
      words.push_back(plain_word(line.substr(begin, at - begin)));
      continue;
    }
    ++at;
    while (at < line.size() && line[at] != '"') {
      at += line[at] == '\\' ? 2U : 1U;
    }
    if (at >= line.size()) {
      return std::nullopt;
    }
    words.push_back({.kind = WordKind::String,
                     .text = unescape_string(line.substr(begin + 1, at - begin - 1)),
                     .value = 0});
    ++at;
  }
  return words;
}

ControlLine malformed(std::string_view form, Span span, Diagnostics& diagnostics) {
  diagnostics.error("D_PRAGMA_MALFORM", span,
                    fmt::format("malformed control line: it has the form {}", form));
  return {};
}

bool is_name(LineWords words, std::size_t index) {
  return index < words.size() && words[index].kind == WordKind::Name;
}

ControlLine read_line(LineWords words, Span span, Diagnostics& diagnostics) {
  const bool has_file = words.size() > 1;
  const bool is_right =
      !words.empty() && words[0].kind == WordKind::Integer &&
      words[0].value <= UINT32_MAX &&
      (!has_file || words[1].kind == WordKind::String) &&
      std::ranges::all_of(
          words.subspan(std::min<std::size_t>(2, words.size())),
          [](const LineWord& w) { return w.kind == WordKind::Integer; });
  if (!is_right) {
    return malformed("#line <line> [ \"file\" [ state ] ]", span, diagnostics);
  }
  return LineDirective{
      .line = static_cast<std::uint32_t>(words[0].value),
      .file = has_file ? std::optional<std::string>(words[1].text) : std::nullopt};
}

ControlLine read_error(LineWords words, Span span, Diagnostics& diagnostics) {
  std::string message = "#error:";
  for (const LineWord& word : words) {
    message += ' ';
    message += word.text;
  }
  diagnostics.error("D_PRAGERR", span, message);
  return {};
}

ControlLine read_option(LineWords words, Span span, Diagnostics& diagnostics) {
  if (words.size() != 1 || !is_name(words, 0)) {
    return malformed("#pragma D option <name>[=<value>]", span, diagnostics);
  }
  const std::string& text = words[0].text;
  const std::size_t equals = text.find('=');
  OptionPragma option{.name = text.substr(0, equals), .value = std::nullopt};
  if (equals != std::string::npos) {
    option.value = text.substr(equals + 1);
  }
  return Pragma{.span = span, .node = std::move(option)};
}

constexpr std::array<std::string_view, 7> stabilities = {
    "Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable"};
constexpr std::array<std::string_view, 6> dependency_classes = {
    "Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

// "Evolving/Evolving/Common": name stability, data stability, dependency class. Both
// stabilities may also be "Standard".
bool is_attributes(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t second =
      first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second == std::string_view::npos) {
    return false;
  }
  const auto is_stability = [](std::string_view word) {
    return word == "Standard" ||
           std::ranges::find(stabilities, word) != stabilities.end();
  };
  return is_stability(text.substr(0, first)) &&
         is_stability(text.substr(first + 1, second - first - 1)) &&
         std::ranges::find(dependency_classes, text.substr(second + 1)) !=
             dependency_classes.end();
}

ControlLine read_attributes(LineWords words, Span span, Diagnostics& diagnostics) {
  const bool is_of_provider = is_name(words, 1) && words[1].text == "provider";
  if (!is_name(words, 0) || !is_name(words, 1) ||
      (is_of_provider && !(is_name(words, 2) && is_name(words, 3)))) {
    return malformed("#pragma D attributes <attributes> <identifier>", span,
                     diagnostics);
  }
  if (!is_attributes(words[0].text)) {
    diagnostics
        .error("D_PRAGMA_INVAL", span,
               fmt::format("invalid attributes '{}'", words[0].text))
        .hint = "they look like Evolving/Evolving/Common";
    return {};
  }
  AttributesPragma attributes{
      .attributes = words[0].text, .name = words[1].text, .component = {}};
  if (is_of_provider) {
    attributes.name = words[2].text;
    attributes.component = words[3].text;
    constexpr std::array<std::string_view, 5> components = {"provider", "module",
                                                            "function", "name", "args"};
    if (std::ranges::find(components, attributes.component) == components.end()) {
      diagnostics.error("D_PRAGMA_INVAL", span,
                        fmt::format("a provider has no component '{}' with attributes",
                                    attributes.component));
      return {};
    }
  }
  return Pragma{.span = span, .node = std::move(attributes)};
}

// "1", "1.2" or "1.2.3".
bool is_version(std::string_view text) {
  std::size_t parts = 0;
  while (true) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    if (dot == 0 || dot > 4 || !std::ranges::all_of(text.substr(0, dot), is_digit)) {
      return false;
    }
    ++parts;
    if (dot == text.size()) {
      return parts <= 3;
    }
    text.remove_prefix(dot + 1);
  }
}

ControlLine read_binding(LineWords words, Span span, Diagnostics& diagnostics) {
  if (words.empty() || words[0].kind != WordKind::String || !is_name(words, 1)) {
    return malformed("#pragma D binding \"version\" <identifier>", span, diagnostics);
  }
  if (!is_version(words[0].text)) {
    diagnostics.error("D_PRAGMA_INVAL", span,
                      fmt::format("invalid version \"{}\"", words[0].text));
    return {};
  }
  return Pragma{.span = span,
                .node = BindingPragma{.version = words[0].text, .name = words[1].text}};
}

ControlLine read_depends_on(LineWords words, Span span, Diagnostics& diagnostics) {
  if (!is_name(words, 0) || !is_name(words, 1)) {
    return malformed("#pragma D depends_on <provider|module|library> <name>", span,
                     diagnostics);
  }
  const std::string& kind = words[0].text;
  if (kind != "provider" && kind != "module" && kind != "library") {
    diagnostics.error(
        "D_PRAGMA_INVAL", span,
        fmt::format(
            "a program cannot depend on a '{}', only on a provider, a module or "
            "a library",
            kind));
    return {};
  }
  return Pragma{.span = span,
                .node = DependsOnPragma{.kind = kind, .name = words[1].text}};
}

ControlLine read_d_pragma(LineWords words, Span span, Diagnostics& diagnostics) {
  const std::string& name = words[0].text;
  const LineWords rest = words.subspan(1);
  if (name == "option") {
    return read_option(rest, span, diagnostics);
  }
  if (name == "attributes") {
    return read_attributes(rest, span, diagnostics);
  }
  if (name == "binding") {
    return read_binding(rest, span, diagnostics);
  }
  if (name == "depends_on") {
    return read_depends_on(rest, span, diagnostics);
  }
  NearNames near(name);
  for (const std::string_view known :
       {"option", "attributes", "binding", "depends_on"}) {
    near.offer(known);
  }
  diagnostics.error("D_PRAGMA_INVAL", span, fmt::format("invalid D pragma '{}'", name))
      .hint = near.question();
  return {};
}

// `#error`, `#ident` and `#line`, which are also known as pragmas; nothing for others.
std::optional<ControlLine> read_directive(LineWords words, Span span,
                                          Diagnostics& diagnostics) {
  const std::string& name = words[0].text;
  if (name == "error") {
    return read_error(words.subspan(1), span, diagnostics);
  }
  if (name == "ident") {
    return ControlLine{};
  }
  if (name == "line") {
    return read_line(words.subspan(1), span, diagnostics);
  }
  return std::nullopt;
}

// Behind `#pragma`. Unknown pragmas are other compilers' business and ignored, as C has
// it; unknown ones behind `#pragma D` are ours and refused.
ControlLine read_pragma(LineWords words, Span span, Diagnostics& diagnostics) {
  const bool is_ours = is_name(words, 0) && words[0].text == "D";
  const LineWords rest = is_ours ? words.subspan(1) : words;
  if (rest.empty()) {
    return {};
  }
  if (rest[0].kind == WordKind::Integer) {
    return read_line(rest, span, diagnostics);
  }
  if (rest[0].kind == WordKind::String) {
    diagnostics.error("D_PRAGCTL_INVAL", span, "a pragma begins with a name");
    return {};
  }
  if (const std::optional<ControlLine> known =
          read_directive(rest, span, diagnostics)) {
    return *known;
  }
  return is_ours ? read_d_pragma(rest, span, diagnostics) : ControlLine{};
}

}  // namespace

ControlLine read_control_line(std::string_view line, Span span,
                              Diagnostics& diagnostics) {
  const std::optional<std::vector<LineWord>> words = split(line);
  if (!words) {
    diagnostics.error("D_STR_NL", span, "newline encountered in string literal");
    return {};
  }
  if (words->empty()) {
    return {};
  }
  const LineWord& first = words->front();
  if (first.kind == WordKind::Integer) {
    return read_line(*words, span, diagnostics);
  }
  if (first.kind == WordKind::Name && first.text == "pragma") {
    return read_pragma(LineWords(*words).subspan(1), span, diagnostics);
  }
  if (first.kind == WordKind::Name) {
    if (const std::optional<ControlLine> known =
            read_directive(*words, span, diagnostics)) {
      return *known;
    }
  }
  Diagnostic& invalid = diagnostics.error(
      "D_PRAGCTL_INVAL", span, fmt::format("invalid control line: #{}", first.text));
  if (first.text == "include" || first.text == "define" || first.text == "ifdef" ||
      first.text == "if" || first.text == "ifndef" || first.text == "undef") {
    invalid.hint = "-C runs the C preprocessor on the program first";
  }
  return {};
}

}  // namespace kinst::d
