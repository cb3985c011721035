#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(Diagnostic, ShowsTheLineWithACaretAndTheTag) {
  const Source source{.name = "script prog.d",
                      .text = "BEGIN\n{ x = 1; }\nBEGIN\n/a/\n"};
  const Diagnostic diagnostic{.severity = Severity::Error,
                              .tag = "D_PRED_SCALAR",
                              .span = {.begin = 24, .end = 25},
                              .message = "predicate result must be of scalar type",
                              .hint = "test an element, as in /a[0]/",
                              .label = "'a' is int[4]"};
  EXPECT_EQ(render(diagnostic, source, ShowTags::Yes),
            "failed to compile script prog.d: [D_PRED_SCALAR] line 4, column 2: "
            "predicate result must be of scalar type\n"
            "    4 | /a/\n"
            "      |  ^ 'a' is int[4]\n"
            "      hint: test an element, as in /a[0]/\n");
}

TEST(Diagnostic, PointsBehindTheLastByteOfATextThatEndsTooSoon) {
  const Source source{.name = "script p.d", .text = "BEGIN {"};
  const Diagnostic diagnostic{.severity = Severity::Error,
                              .tag = "D_SYNTAX",
                              .span = {.begin = 7, .end = 7},
                              .message = "syntax error at end of input",
                              .hint = {},
                              .label = {}};
  EXPECT_EQ(render(diagnostic, source, ShowTags::No),
            "failed to compile script p.d: line 1, column 8: syntax error at end of "
            "input\n"
            "    1 | BEGIN {\n"
            "      |        ^\n");
}

TEST(Diagnostic, KeepsTabsBeforeTheCaret) {
  EXPECT_EQ(line_column("a\n\tb", 3), (LineColumn{.line = 2, .column = 2}));
}

}  // namespace
}  // namespace kinst
