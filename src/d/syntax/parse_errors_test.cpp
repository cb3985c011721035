// What is wrong with a text, tag by tag, and how much is told in one go.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "d/syntax/parse.h"
#include "d/syntax/print.h"

namespace kinst::d {
namespace {

// Each error as "TAG LINE:COLUMN", separated by blanks.
std::string errors(std::string text, TextKind kind = TextKind::Script,
                   DescriptionField last = DescriptionField::Name) {
  Source source{.name = "p.d", .text = std::move(text), .line_markers = {}};
  ParseOptions options;
  options.kind = kind;
  options.last_field = last;
  options.macros.arguments = {"p.d", "99999999999999999999"};
  options.is_type_name = [](std::string_view name) { return name == "pid_t"; };
  Diagnostics diagnostics;
  parse(source, 0, options, diagnostics);
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const LineColumn at = position_of(diagnostic.span, source).at;
    all += fmt::format("{}{} {}:{}", all.empty() ? "" : " ", diagnostic.tag, at.line,
                       at.column);
  }
  return all;
}

struct Case {
  std::string_view text;
  std::string_view errors;
};

TEST(ParseErrors, HaveTheirTagAndPlace) {
  const std::vector<Case> cases = {
      {"BEGIN { a = ; }", "D_SYNTAX 1:13"},
      {"BEGIN { a b; }", "D_SYNTAX 1:11"},
      {"BEGIN { (a; }", "D_SYNTAX 1:11"},
      {"BEGIN { a[1; }", "D_SYNTAX 1:12"},
      {"BEGIN { a[]; }", "D_SYNTAX 1:11"},
      {"BEGIN { @a[] = count(); }", "D_SYNTAX 1:12"},
      {"BEGIN { a + b = c; }", "D_SYNTAX 1:15"},
      {"BEGIN { a ? b; }", "D_SYNTAX 1:14"},
      {"BEGIN { p->1; }", "D_SYNTAX 1:12"},
      {"BEGIN { self->; }", "D_SYNTAX 1:15"},
      {"BEGIN { offsetof(pid_t); }", "D_SYNTAX 1:23"},
      {"BEGIN { xlate <foo_t>(1); }", "D_SYNTAX 1:16"},
      {"BEGIN { for (;;) ; }", "D_SYNTAX 1:9"},
      {"BEGIN { int x; }", "D_SYNTAX 1:9"},
      {"BEGIN { trace(epid);", "D_SYNTAX 1:21"},
      {"BEGIN { trace(epid); } }", "D_SYNTAX 1:24"},
      {"BEGIN /a[0/ { }", "D_SYNTAX 1:13"},
      {"BEGIN /1/", "D_SYNTAX 1:8"},
      {"BEGIN", "D_SYNTAX 1:1"},
      {"BEGIN, { }", "D_SYNTAX 1:8"},
      {"BEGIN { 1.5; }", "D_SYNTAX 1:9"},
      {"BEGIN { ?? }", "D_SYNTAX 1:9"},
      {"BEGIN { a \\ b; }", "D_SYNTAX 1:11"},
      {"BEGIN { /* /* */ }", "D_SYNTAX 1:12"},
      {"/* no end", "D_SYNTAX 1:1"},
      {"BEGIN { \"no end", "D_SYNTAX 1:9"},
      {"BEGIN { } #pragma", "D_SYNTAX 1:11"},
      {"BEGIN { }\n#pragma", "D_SYNTAX 2:1"},
      {"typedef foo_t bar_t;", "D_SYNTAX 1:9"},
      {"struct s { foo_t x; };", "D_SYNTAX 1:12"},
      {"int x = 3;", "D_SYNTAX 1:7"},
      {std::string_view("BEGIN {\0}", 9), "D_SYNTAX 1:8"},
      {"BEGIN { \"a\nb\"; }", "D_STR_NL 1:9"},
      {"BEGIN { 'a\n'; }", "D_CHR_NL 1:9"},
      {"BEGIN { ''; }", "D_CHR_NULL 1:9"},
      {"BEGIN { 'abcdefghi'; }", "D_CHR_OFLOW 1:9"},
      {"BEGIN { 18446744073709551616; }", "D_INT_OFLOW 1:9"},
      {"BEGIN { 089; }", "D_INT_DIGIT 1:9"},
      {"BEGIN { $2; }", "D_MACRO_UNDEF 1:9"},
      {"BEGIN { $nothing; }", "D_MACRO_UNDEF 1:9"},
      {"BEGIN { $1; }", "D_MACRO_OFLOW 1:9"},
      {"a:b:c:d:e { }", "D_PDESC_INVAL 1:1"},
      {"tick-$2 { }", "D_PDESC_INVAL 1:1"},
      {"99999999999 { }", "D_PDESC_INVAL 1:1"},
      {"#foo\nBEGIN { }", "D_PRAGCTL_INVAL 1:1"},
      {"#error not today\nBEGIN { }", "D_PRAGERR 1:1"},
      {"#pragma D foo\nBEGIN { }", "D_PRAGMA_INVAL 1:1"},
      {"#pragma D attributes A/B/C f\nBEGIN { }", "D_PRAGMA_INVAL 1:1"},
      {"#pragma D binding \"x\" f\nBEGIN { }", "D_PRAGMA_INVAL 1:1"},
      {"#pragma D depends_on moon m\nBEGIN { }", "D_PRAGMA_INVAL 1:1"},
      {"#pragma D option a b\nBEGIN { }", "D_PRAGMA_MALFORM 1:1"},
      {"#pragma D attributes\nBEGIN { }", "D_PRAGMA_MALFORM 1:1"},
      {"#line x\nBEGIN { }", "D_PRAGMA_MALFORM 1:1"},
      {"#ident \"x\nBEGIN { }", "D_STR_NL 1:1"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(errors(std::string(example.text)), example.errors) << example.text;
  }
}

TEST(ParseErrors, OfDeclarationsHaveTheirTagAndPlace) {
  const std::vector<Case> cases = {
      {"static self int x;", "D_DECL_CLASS 1:8"},
      {"register x;", "D_DECL_BADCLASS 1:10"},
      {"static int x;", "D_DECL_BADCLASS 1:12"},
      {"int f(static int);", "D_DECL_PARMCLASS 1:7"},
      {"long char x;", "D_DECL_CHARATTR 1:1"},
      {"short void *x;", "D_DECL_VOIDATTR 1:1"},
      {"unsigned struct s x;", "D_DECL_SIGNINT 1:1"},
      {"unsigned float x;", "D_DECL_SIGNINT 1:1"},
      {"long struct s x;", "D_DECL_LONGINT 1:1"},
      {"int int x;", "D_DECL_COMBO 1:1"},
      {"char int x;", "D_DECL_COMBO 1:1"},
      {"struct s { int a; } struct t x;", "D_DECL_COMBO 1:21"},
      {"unsigned unsigned int x;", "D_DECL_COMBO 1:1"},
      {"short short int x;", "D_DECL_COMBO 1:1"},
      {"long long long long int x;", "D_DECL_COMBO 1:1"},
      {"long short x;", "D_UNKNOWN 1:1"},
      {"extern int;", "D_DECL_USELESS 1:1"},
      {"int x[];", "D_DECL_ARRNULL 1:6"},
      {"this int x[int];", "D_DECL_LOCASSC 1:10"},
      {"int `x;", "D_DECL_SCOPE 1:5"},
      {"enum { a`b };", "D_DECL_SCOPE 1:8"},
      {"struct s { int; };", "D_DECL_MNAME 1:15"},
      {"int x[...];", "D_DECL_PROTO_VARARGS 1:10"},
      {"int f(int a[int]);", "D_DECL_PROTO_TYPE 1:7"},
      {"int x[void];", "D_DECL_PROTO_TYPE 1:7"},
      {"int f(void v);", "D_DECL_PROTO_NAME 1:7"},
      {"int f(int, void);", "D_DECL_PROTO_VOID 1:12"},
      {"int f(int a, int a);", "D_DECL_PROTO_FORM 1:18"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(errors(std::string(example.text)), example.errors) << example.text;
  }
}

TEST(ParseErrors, AreToldTogether) {
  EXPECT_EQ(errors("BEGIN { a b; c = 1; d e }\n"
                   "int x[];\n"
                   "a:b:c:d:e { f g; }\n"
                   "END /(/ { 089; h i; }\n"),
            "D_SYNTAX 1:11 D_SYNTAX 1:23 D_DECL_ARRNULL 2:6 D_PDESC_INVAL 3:1 "
            "D_SYNTAX 3:15 D_SYNTAX 4:7 D_INT_DIGIT 4:11 D_SYNTAX 4:18");
}

TEST(ParseErrors, StopAtSomeNumber) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "#foo\n";
  }
  const std::string told = errors(text);
  EXPECT_TRUE(told.ends_with("D_PRAGCTL_INVAL 20:1 D_SYNTAX 20:1")) << told;
}

TEST(ParseErrors, RefuseNestingThatWouldOverflowAStack) {
  for (const std::string piece : {"(", "!", "(int)", "a?", "a=", "a+", "a->b",
                                  "sizeof ", "if(a)", "f(", "x[", "if(a)b;else "}) {
    std::string text = "BEGIN { ";
    for (int i = 0; i < 100000; ++i) {
      text += piece;
    }
    EXPECT_TRUE(errors(text).starts_with("D_SYNTAX 1:")) << piece;
  }
  for (const std::string piece : {"*", "(", "struct a { int ", "[int] ", "[int["}) {
    std::string text = "int ";
    for (int i = 0; i < 100000; ++i) {
      text += piece;
    }
    EXPECT_TRUE(errors(text).starts_with("D_")) << piece;
  }
}

TEST(ParseErrors, NameTheFieldThatEndsADescription) {
  EXPECT_EQ(errors("a:b:c", TextKind::CommandLine, DescriptionField::Module),
            "D_PDESC_INVAL 1:1");
  EXPECT_EQ(errors("12", TextKind::CommandLine, DescriptionField::Function),
            "D_PDESC_INVAL 1:1");
}

TEST(ParseErrors, AnEmptyProgramIsRefusedOnRequest) {
  Source source{.name = "p.d", .text = "int x;", .line_markers = {}};
  Diagnostics diagnostics;
  const Program program = parse(source, 0, {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  refuse_empty(program, 0, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all().front().tag, "D_EMPTY");
}

TEST(ParseErrors, AnArgumentThatNobodyUsesIsRefusedOnRequest) {
  Source source{.name = "p.d", .text = "BEGIN { $1; }", .line_markers = {}};
  ParseOptions options;
  options.macros.arguments = {"p.d", "1"};
  Diagnostics diagnostics;
  const Program program = parse(source, 0, options, diagnostics);
  refuse_unused_argument(options.macros, {&program, 1}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  options.macros.arguments.emplace_back("2");
  refuse_unused_argument(options.macros, {&program, 1}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all().front().tag, "D_MACRO_UNUSED");
}

// Random texts made of D's words: whatever comes, the parser ends, and what it accepts
// it prints in a form that it reads back as the same tree.
TEST(ParseErrors, RandomTextsAreReadOrRefused) {
  const std::vector<std::string_view> words = {
      "BEGIN",  "tick-1s",  "/",        "{",          "}",      "(",
      ")",      "[",        "]",        ";",          ",",      "a",
      "pid_t",  "int",      "self->",   "this->",     "@",      "@a",
      "\"s\"",  "'c'",      "1",        "0x1f",       "+",      "-",
      "*",      "&",        "!",        "++",         "?",      ":",
      "=",      "+=",       "==",       "^^",         "->",     ".",
      "sizeof", "stringof", "offsetof", "xlate",      "<",      ">",
      "struct", "enum",     "typedef",  "translator", "inline", "if",
      "else",   "string",   "...",      "`x",         "$1",     "#pragma D option a\n",
      "/*",     "*/",       "\n",       "\\",         "'",      "BEGIN { a = ",
      "}",      "; }",      "END /a/ {"};
  std::mt19937 random(1);
  std::size_t accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t left = random() % 12; left > 0; --left) {
      text += words[random() % std::size(words)];
      text += ' ';
    }
    Source source{.name = "p.d", .text = text, .line_markers = {}};
    ParseOptions options;
    options.kind = TextKind::CommandLine;
    options.is_type_name = [](std::string_view name) { return name == "pid_t"; };
    Diagnostics diagnostics;
    const std::string tree = to_text(parse(source, 0, options, diagnostics));
    if (diagnostics.has_errors()) {
      continue;
    }
    ++accepted;
    Source again{.name = "p.d", .text = tree, .line_markers = {}};
    EXPECT_EQ(to_text(parse(again, 0, options, diagnostics)), tree) << text;
    EXPECT_FALSE(diagnostics.has_errors()) << text << "\n" << tree;
  }
  EXPECT_GT(accepted, 100U);
}

}  // namespace
}  // namespace kinst::d
