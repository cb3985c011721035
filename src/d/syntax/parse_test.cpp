// What D's grammar means: trees as text.
#include "d/syntax/parse.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "d/syntax/print.h"

namespace kinst::d {
namespace {

// Trees are moved between stages, never copied by accident.
static_assert(std::is_nothrow_move_constructible_v<Expression>);
static_assert(!std::is_copy_constructible_v<Expression>);

bool is_known_type(std::string_view name) {
  static const std::set<std::string_view> names = {"pid_t", "psinfo_t", "uint64_t"};
  return names.contains(name);
}

ParseOptions options_of(TextKind kind) {
  ParseOptions options;
  options.kind = kind;
  options.macros.arguments = {"prog.d", "42", "vfs_read", "two words", "-7"};
  options.macros.variables = {{"target", 1234}};
  options.is_type_name = is_known_type;
  return options;
}

// The tree of `text` as text, or what is wrong with it.
std::string parsed(std::string text, TextKind kind = TextKind::Script) {
  Source source{.name = "p.d", .text = std::move(text), .line_markers = {}};
  Diagnostics diagnostics;
  const Program program = parse(source, 0, options_of(kind), diagnostics);
  std::string errors;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    errors += render(diagnostic, {&source, 1}, ShowTags::Yes);
  }
  return errors.empty() ? to_text(program) : errors;
}

// The tree of an expression that stands alone in a clause.
std::string expression(const std::string& text) {
  const std::string tree = parsed("BEGIN { " + text + "; }");
  const std::string before = ":::BEGIN\n{\n  ";
  const std::string behind = ";\n}\n";
  return tree.starts_with(before)
             ? tree.substr(before.size(), tree.size() - before.size() - behind.size())
             : tree;
}

struct Case {
  std::string_view text;
  std::string_view tree;
};

// ---------------------------------------------------------------- expressions

TEST(Parse, BindsOperatorsAsCDoes) {
  const std::vector<Case> cases = {
      {"a || b ^^ c && d", "(a || (b ^^ (c && d)))"},
      {"a | b ^ c & d == e", "(a | (b ^ (c & (d == e))))"},
      {"a != b < c << d", "(a != (b < (c << d)))"},
      {"a <= b >> c + d", "(a <= (b >> (c + d)))"},
      {"a > b - c * d", "(a > (b - (c * d)))"},
      {"a >= b % c / d", "(a >= ((b % c) / d))"},
      {"a - b - c", "((a - b) - c)"},
      {"a = b = c", "(a = (b = c))"},
      {"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
      {"a ? b, c : d", "(a ? (b , c) : d)"},
      {"a, b = c", "(a , (b = c))"},
      {"-a * !b", "((-a) * (!b))"},
      {"~a++", "(~(a++))"},
      {"*p++", "(*(p++))"},
      {"++*p--", "(++(*(p--)))"},
      {"&a->b", "(&a->b)"},
      {"+a - --b", "((+a) - (--b))"},
      {"(a + b) * c", "((a + b) * c)"},
      {"a.b->c[1].d", "a.b->c[1].d"},
      {"sizeof a + b", "((sizeof a) + b)"},
      {"stringof a + b", "((stringof a) + b)"},
      {"stringof (a)[1]", "(stringof a[1])"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(expression(std::string(example.text)), example.tree) << example.text;
  }
}

TEST(Parse, KnowsEveryAssignmentOperator) {
  for (const std::string op :
       {"=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="}) {
    EXPECT_EQ(expression("a " + op + " b"), "(a " + op + " b)");
  }
}

TEST(Parse, ReadsNamesOfEveryKind) {
  const std::vector<Case> cases = {
      {"execname", "execname"},
      {"this->x + self->y", "(this->x + self->y)"},
      {"self->int", "self->int"},
      {"p->self.this", "p->self.this"},
      {"`jiffies + ext4`count", "(`jiffies + ext4`count)"},
      {"@ = count()", "(@ = count())"},
      {"@a[stack(), 1] = sum(arg0)", "(@a[stack(), 1] = sum(arg0))"},
      {"x[1, \"two\"]", "x[1, \"two\"]"},
      {"args[0]->f_path", "args[0]->f_path"},
      {"mod`function(1)", "mod`function(1)"},
      {R"(printf("%d\n", 1))", R"(printf("%d\012", 1))"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(expression(std::string(example.text)), example.tree) << example.text;
  }
}

TEST(Parse, TellsCastsFromParentheses) {
  const std::vector<Case> cases = {
      {"(int)a + b", "(((int)a) + b)"},
      {"(pid_t)-a", "((pid_t)(-a))"},
      {"(a)-b", "(a - b)"},
      {"(struct task_struct *)p", "((struct task_struct *)p)"},
      {"(const char *)p", "((const char *)p)"},
      {"(int (*)(int, char *))p", "((int (*)(int, char *))p)"},
      {"sizeof (pid_t) + 1", "((sizeof (pid_t)) + 1)"},
      {"sizeof (pid_t *[3])", "(sizeof (pid_t *[3]))"},
      {"sizeof (a)", "(sizeof a)"},
      {"offsetof(struct foo, bar)", "offsetof(struct foo, bar)"},
      {"xlate <psinfo_t *>(p)->pr_pid", "xlate <psinfo_t *>(p)->pr_pid"},
      // What was assigned to is a variable, whatever the kernel calls by its name.
      {"pid_t = 1, (pid_t)-a", "((pid_t = 1) , (pid_t - a))"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(expression(std::string(example.text)), example.tree) << example.text;
  }
}

TEST(Parse, ReplacesMacroArgumentsByWhatTheyLookLike) {
  const std::vector<Case> cases = {
      {"$1", "42"},
      {"$$1", "\"42\""},
      {"$2", "vfs_read"},
      {"p->$2", "p->vfs_read"},
      {"$3", "\"two words\""},
      {"$4", "(-7)"},
      {"$target", "1234"},
      {"$$target", "\"1234\""},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(expression(std::string(example.text)), example.tree) << example.text;
  }
}

// ---------------------------------------------------------------- clauses

TEST(Parse, ReadsClausesWithListsPredicatesAndBodies) {
  EXPECT_EQ(parsed("syscall::read:entry,\nvfs_read:4\n"
                   "/execname == \"cat\" && arg0 / 2 > 1/\n"
                   "{ self->ts = timestamp; ; trace(1) }\n"
                   "END {}\n"),
            "syscall::read:entry,\n"
            "::vfs_read:4\n"
            "/((execname == \"cat\") && ((arg0 / 2) > 1))/\n"
            "{\n"
            "  (self->ts = timestamp);\n"
            "  trace(1);\n"
            "}\n"
            ":::END\n"
            "{\n"
            "}\n");
}

TEST(Parse, ReadsIfAndElse) {
  EXPECT_EQ(parsed("BEGIN { if (a) b; else if (c) { d; e } else ; f; if (g) {} }"),
            ":::BEGIN\n"
            "{\n"
            "  if (a) {\n"
            "    b;\n"
            "  } else {\n"
            "    if (c) {\n"
            "      d;\n"
            "      e;\n"
            "    }\n"
            "  }\n"
            "  f;\n"
            "  if (g) {\n"
            "  }\n"
            "}\n");
}

TEST(Parse, TellsADefaultActionFromAnEmptyBody) {
  EXPECT_EQ(parsed("BEGIN END {} 12", TextKind::CommandLine),
            ":::BEGIN\n:::END\n{\n}\n12\n");
}

TEST(Parse, EndsPredicatesAtTheSlashBeforeTheBody) {
  EXPECT_EQ(parsed("BEGIN /a / b/ /* why */ { }"), ":::BEGIN\n/(a / b)/\n{\n}\n");
  EXPECT_EQ(parsed("BEGIN /(a / b) / c / d/{ }"),
            ":::BEGIN\n/(((a / b) / c) / d)/\n{\n}\n");
}

TEST(Parse, ReadsDescriptionsOfEveryProvider) {
  const std::vector<Case> cases = {
      {"kinst::vfs_read:", "kinst::vfs_read:"},
      {"kinst:vmlinux:vfs_*:0x1f", "kinst:vmlinux:vfs_*:0x1f"},
      {"kinst::f:call@kfree", "kinst::f:call@kfree"},
      {"kinst::f:=cmpxchg*", "kinst::f:=cmpxchg*"},
      {"kinst::f:@456", "kinst::f:@456"},
      {"kinst::f:\"@fs/read_write.c:456\"", "kinst::f:\"@fs/read_write.c:456\""},
      {"pid$target:a.out:main:entry", "pid1234:a.out:main:entry"},
      {"pid$1:libc.so.6:m[ae]*loc:1f", "pid42:libc.so.6:m[ae]*loc:1f"},
      {"pid1::\"std::swap(int&, int&)\":entry",
       "pid1::\"std::swap(int&, int&)\":entry"},
      {"tick-$1s", ":::tick-42s"},
      {"$2:entry", "::vfs_read:entry"},
      {"profile:::profile-97", "profile:::profile-97"},
      {"sdt:syscalls::sys_enter_*", "sdt:syscalls::sys_enter_*"},
      {"fbt::f.isra.0:return", "fbt::f.isra.0:return"},
      {":::", ":::"},
      {"int:::x", "int:::x"},
      {"17", "17"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(parsed(std::string(example.text) + " {}"),
              std::string(example.tree) + "\n{\n}\n");
  }
}

TEST(Parse, CountsFieldsFromTheOneThatTheOptionNames) {
  Source source{.name = "module", .text = "kinst:ext4", .line_markers = {}};
  ParseOptions options = options_of(TextKind::CommandLine);
  options.last_field = DescriptionField::Module;
  Diagnostics diagnostics;
  EXPECT_EQ(to_text(parse(source, 0, options, diagnostics)), "kinst:ext4::\n");
}

// ---------------------------------------------------------------- declarations

TEST(Parse, ReadsDeclarations) {
  const std::vector<Case> cases = {
      {"int x;", "int x;\n"},
      {"self string s, t[10];", "self string s, t[10];\n"},
      {"this uint64_t *p;", "this uint64_t *p;\n"},
      {"string names[int, char *];", "string names[int, char *];\n"},
      {"extern const struct foo *f;", "extern const struct foo *f;\n"},
      {"long unsigned int long x;", "unsigned long long x;\n"},
      {"short x;", "short x;\n"},
      {"signed char x;", "signed char x;\n"},
      {"int *(*f[3])(int);", "int *(*f[3])(int);\n"},
      {"int (*f)(void);", "int (*f)();\n"},
      {"int f(const char *, ...);", "int f(const char *, ...);\n"},
      {"int*x;", "int *x;\n"},
      {"int m[2][3];", "int m[2][3];\n"},
      {"pid_t p; typedef pid_t q_t; q_t *q;",
       "pid_t p;\ntypedef pid_t q_t;\nq_t *q;\n"},
      {"struct foo;", "struct foo;\n"},
      {"enum e { A, B = 1 << 2, } x;", "enum e { A, B = (1 << 2) } x;\n"},
      {"struct s { int a : 3, *b; int : 2; union { int c; char d; }; struct s *next; "
       "};",
       "struct s { int a : 3, *b; int  : 2; union { int c; char d; }; struct s *next; "
       "};\n"},
      {"inline int limit = 3 * 4;", "inline int limit = (3 * 4);\n"},
      {R"(inline string f[int a] = a ? "x" : "y";)",
       "inline string f[int a] = (a ? \"x\" : \"y\");\n"},
      {"translator psinfo_t < struct task_struct *T > { pr_pid = T->pid; };",
       "translator psinfo_t < struct task_struct * T > {\n  pr_pid = T->pid;\n};\n"},
      {"provider p { probe a(int) : (char *b); probe c(); };",
       "provider p {\n  probe a(int) : (char *b);\n  probe c();\n};\n"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(parsed(std::string(example.text)), example.tree) << example.text;
  }
}

TEST(Parse, TakesTheWordForATypeOnlyInScripts) {
  EXPECT_EQ(parsed("pid_t { }", TextKind::CommandLine), ":::pid_t\n{\n}\n");
}

TEST(Parse, TakesTheWordForADescriptionWithPspec) {
  const std::string pragma = "#pragma D option pspec\n";
  EXPECT_EQ(parsed(pragma + "int* { }"), parsed(pragma + ":::int* { }"));
  EXPECT_EQ(parsed(pragma + "pid_t* { }"), parsed(pragma + ":::pid_t* { }"));
  EXPECT_EQ(parsed(pragma + "int* { }").find("error"), std::string::npos);
  EXPECT_NE(parsed("int* { }").find("D_SYNTAX"), std::string::npos);
}

TEST(Parse, ParsesATypeThatStandsAlone) {
  const std::optional<TypeSyntax> type =
      parse_type("const struct task_struct *[3]", is_known_type);
  ASSERT_TRUE(type.has_value());
  EXPECT_EQ(to_text(*type), "const struct task_struct *[3]");
  EXPECT_FALSE(parse_type("no_such_t *", is_known_type).has_value());
  EXPECT_FALSE(parse_type("int x", is_known_type).has_value());
}

// ---------------------------------------------------------------- control lines

TEST(Parse, KeepsPragmasAndSkipsOtherControlLines) {
  EXPECT_EQ(parsed("#!/usr/sbin/kinst -s\n"
                   "#pragma D option quiet\n"
                   "  #  pragma D option bufsize=4m\n"
                   "#pragma D attributes Evolving/Evolving/Common f\n"
                   "#pragma D attributes Stable/Stable/ISA provider io args\n"
                   "#pragma D binding \"1.1\" f\n"
                   "#pragma D depends_on library unistd.d\n"
                   "#pragma pack(1)\n"
                   "#ident \"x\"\n"
                   "#\n"
                   "BEGIN {\n#pragma D option w\n}\n"),
            "#pragma D option quiet\n"
            "#pragma D option bufsize=4m\n"
            "#pragma D attributes Evolving/Evolving/Common f\n"
            "#pragma D attributes Stable/Stable/ISA provider io args\n"
            "#pragma D binding \"1.1\" f\n"
            "#pragma D depends_on library unistd.d\n"
            "#pragma D option w\n"
            ":::BEGIN\n{\n}\n");
}

TEST(Parse, CountsLinesAsThePreprocessorSays) {
  EXPECT_EQ(
      parsed("# 1 \"p.d\"\n# 10 \"inc.h\" 1\n\nBEGIN { 1 1; }\n# 3 \"<stdin>\" 2\n)"),
      "failed to compile p.d: [D_SYNTAX] \"inc.h\", line 11: syntax "
      "error near an integer: expected ';' behind a statement\n"
      "   11 | BEGIN { 1 1; }\n"
      "      |           ^\n"
      "failed to compile p.d: [D_SYNTAX] line 3: syntax error near ')': "
      "expected a probe description or a declaration\n"
      "    3 | )\n"
      "      | ^\n");
}

TEST(Parse, LetsAPragmaGiveMacroArgumentsDefaults) {
  EXPECT_EQ(parsed("#pragma D option defaultargs\nBEGIN { $9; $$9; }"),
            "#pragma D option defaultargs\n:::BEGIN\n{\n  0;\n  \"\";\n}\n");
}

}  // namespace
}  // namespace kinst::d
