#include "base/text/diagnostic.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(Diagnostic, ShowsTheLineWithACaretAndTheTag) {
  const Source source{.name = "script prog.d",
                      .text = "BEGIN\n{ x = 1; }\nBEGIN\n/a/\n",
                      .line_markers = {}};
  const Diagnostic diagnostic{.severity = Severity::Error,
                              .tag = "D_PRED_SCALAR",
                              .span = {.begin = 24, .end = 25},
                              .message = "predicate result must be of scalar type",
                              .hint = "test an element, as in /a[0]/",
                              .label = "'a' is int[4]"};
  EXPECT_EQ(render(diagnostic, {&source, 1}, ShowTags::Yes),
            "failed to compile script prog.d: [D_PRED_SCALAR] line 4: "
            "predicate result must be of scalar type\n"
            "    4 | /a/\n"
            "      |  ^ 'a' is int[4]\n"
            "      hint: test an element, as in /a[0]/\n");
}

TEST(Diagnostic, PointsBehindTheLastByteOfATextThatEndsTooSoon) {
  const Source source{.name = "script p.d", .text = "BEGIN {", .line_markers = {}};
  const Diagnostic diagnostic{.severity = Severity::Error,
                              .tag = "D_SYNTAX",
                              .span = {.begin = 7, .end = 7},
                              .message = "syntax error at end of input",
                              .hint = {},
                              .label = {}};
  EXPECT_EQ(render(diagnostic, {&source, 1}, ShowTags::No),
            "failed to compile script p.d: line 1, column 8: syntax error at end of "
            "input\n"
            "    1 | BEGIN {\n"
            "      |        ^\n");
}

TEST(Diagnostic, KeepsTabsBeforeTheCaret) {
  EXPECT_EQ(line_column("a\n\tb", 3), (LineColumn{.line = 2, .column = 2}));
}

Diagnostic error_at(Span span) {
  return {.severity = Severity::Error,
          .tag = "D_SYNTAX",
          .span = span,
          .message = "wrong",
          .hint = {},
          .label = {}};
}

TEST(Diagnostic, NamesTheFileAndLineThatThePreprocessorMarked) {
  const Source source{.name = "script p.d",
                      .text = "# 7 \"inc.h\"\na\n  b\n# 2 \"\"\nc\n",
                      .line_markers = {{.begin = 12, .line = 7, .file = "inc.h"},
                                       {.begin = 25, .line = 2, .file = ""}}};
  EXPECT_EQ(render(error_at({.begin = 16, .end = 17}), {&source, 1}, ShowTags::No),
            "failed to compile script p.d: \"inc.h\", line 8, column 3: wrong\n"
            "    8 |   b\n"
            "      |   ^\n");
  EXPECT_EQ(position_of({.begin = 25, .end = 26}, source),
            (Position{.file = "", .at = {.line = 2, .column = 1}}));
}

TEST(Diagnostic, SpeaksOfTheSourceThatItsSpanNames) {
  const std::vector<Source> sources = {
      {.name = "library a.d", .text = "a", .line_markers = {}},
      {.name = "script b.d", .text = "b", .line_markers = {}}};
  EXPECT_EQ(
      render(error_at({.begin = 0, .end = 1, .source = 1}), sources, ShowTags::No),
      "failed to compile script b.d: line 1, column 1: wrong\n"
      "    1 | b\n"
      "      | ^\n");
}

TEST(Diagnostic, ShowsTextInUtf8ButNoOtherBytesOfItsKind) {
  const auto shown = [](std::string text) {
    const Source source{
        .name = "script p.d", .text = std::move(text), .line_markers = {}};
    const std::string all =
        render(error_at({.begin = 0, .end = 1}), {&source, 1}, ShowTags::No);
    const std::size_t begin = all.find("| ") + 2;
    return all.substr(begin, all.find('\n', begin) - begin);
  };
  EXPECT_EQ(shown("a \u00e4\u20ac\U0001f600"), "a \u00e4\u20ac\U0001f600");
  EXPECT_EQ(shown("\x9b[2J \xc3\xa4"), "?[2J ??");
  EXPECT_EQ(shown("\xe2\x82"), "??");
  EXPECT_EQ(shown("\xff\xf8"), "??");
}

TEST(Diagnostic, ShowsAWindowOfALongLineWithoutControlBytes) {
  const Source source{
      .name = "script p.d",
      .text = std::string(5000, 'x') + "\x1b[2J" + std::string(5000, 'y'),
      .line_markers = {}};
  EXPECT_EQ(render(error_at({.begin = 5000, .end = 5001}), {&source, 1}, ShowTags::No),
            "failed to compile script p.d: line 1, column 5001: wrong\n"
            "    1 | " +
                std::string(100, 'x') + "?[2J" + std::string(96, 'y') + "\n" +
                "      | " + std::string(100, ' ') + "^\n");
}

}  // namespace
}  // namespace kinst
