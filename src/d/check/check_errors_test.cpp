// Every error that the checker tells, by its tag, and how some of them read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <ostream>

#include "d/check/checker_fixture.h"

namespace kinst::d {
namespace {

using testing::check_text;

struct Case {
  const char* tag;
  const char* program;
};

std::ostream& operator<<(std::ostream& out, const Case& each) {
  return out << each.tag << ": " << each.program;
}

constexpr auto declarations = std::to_array<Case>({
    {"D_DECL_ARRBIG", "int a[5000000000];"},
    {"D_DECL_ARRBIG", "int a[65536][65536][65536][65536];"},
    {"D_DECL_ARRBIG", "struct s { int a[65536][65536][65536][65536]; };"},
    {"D_DECL_ARRBIG", "union u { char a[2147483648][2147483648][4]; };"},
    {"D_DECL_ARRBIG", "struct s { char a[2147483648][4]; };"},
    {"D_DECL_ARRBIG", "typedef int t[65536][65536][65536]; t a[65536];"},
    {"D_DECL_ARRNULL", "int a[];"},
    {"D_DECL_ARRSUB", "int a[0];"},
    {"D_DECL_ARRSUB", "int a[-1];"},
    {"D_DECL_ARRSUB", "int a[pid];"},
    {"D_DECL_BADCLASS", "static int a;"},
    {"D_DECL_BFCONST", "struct s { int a : 0; };"},
    {"D_DECL_BFSIZE", "struct s { int a : 33; };"},
    {"D_DECL_BFTYPE", "struct s { string a : 3; };"},
    {"D_DECL_DYNOBJ", "struct s { int a[int]; };"},
    {"D_DECL_ENCONST", "enum e { A = pid };"},
    {"D_DECL_ENOFLOW", "enum e { A = 2147483648 };"},
    {"D_DECL_IDRED", "int a; string a;"},
    {"D_DECL_IDRED", "int a[int]; int a[string];"},
    {"D_DECL_IDRED", "int pid;"},
    {"D_DECL_IDRED", "typedef int t; typedef int t;"},
    {"D_DECL_IDRED", "inline int a = 1; inline int a = 2;"},
    {"D_DECL_IDRED", "int A; enum e { A };"},
    {"D_DECL_INCOMPLETE", "struct nowhere a;"},
    {"D_DECL_INCOMPLETE", "struct nowhere a[3];"},
    {"D_DECL_INCOMPLETE", "struct s { struct nowhere a; };"},
    {"D_DECL_INCOMPLETE", "struct s { struct nowhere a[3]; };"},
    {"D_DECL_INCOMPLETE", "struct s { struct s a[2][2]; };"},
    {"D_DECL_LOCASSC", "this int a[int];"},
    {"D_DECL_PROTO_FORM", "int a[int k, int k];"},
    {"D_DECL_PROTO_NAME", "int f(void a);"},
    {"D_DECL_PROTO_TYPE", "int a[void];"},
    {"D_DECL_PROTO_TYPE", "int f(int a[int]);"},
    {"D_DECL_PROTO_VOID", "int f(int, void);"},
    {"D_DECL_TYPERED", "struct s { int a; }; struct s { int a; };"},
    {"D_DECL_USELESS", "int;"},
    {"D_DECL_VOIDOBJ", "void a;"},
    {"D_DECL_VOIDOBJ", "void a[3];"},
    {"D_DECL_VOIDOBJ", "struct s { void a; };"},
    {"D_DECL_VOIDOBJ", "struct s { int (a[3])(void); };"},
    {"D_DECL_VOIDOBJ", "int (a[3])(void);"},
    {"D_UNKNOWN", "struct s { int a; int a; };"},
    {"D_UNKNOWN", "struct s { int a; struct { int a; }; };"},
    {"D_UNKNOWN", "struct s { struct { int a; }; union { int b; int a; }; };"},
    {"D_UNKNOWN", "enum e { A, A };"},
    {"D_OP_INCOMPAT", "inline string a = 1;"},
    {"D_XLATE_INCOMPAT",
     "struct s { string a; }; translator struct s < int i > { a = i; };"},
    {"D_XLATE_MEMB", "struct s { int a; }; translator struct s < int i > { b = i; };"},
    {"D_XLATE_REDECL",
     "struct s { int a; }; translator struct s < int i > { a = i; };"
     "translator struct s < int i > { a = i; };"},
    {"D_XLATE_SOU", "translator int < int i > { a = i; };"},
    {"D_PRAGMA_DEPEND", "#pragma D depends_on library errno.d\n"},
    {"D_PRAGMA_UNUSED", "#pragma D attributes Stable/Stable/Common nothing\n"},
    {"D_PROV_BADNAME", "provider p1 { };"},
    {"D_PROV_PRDUP", "provider p { probe a(int); probe a(int); };"},
});

constexpr auto expressions = std::to_array<Case>({
    {"D_ADDROF_BITFIELD", "trace(&curthread->flags);"},
    {"D_ADDROF_LVAL", "trace(&3);"},
    {"D_ADDROF_VAR", "x = 1; trace(&x);"},
    {"D_ALLOCA_SIZE", "p = alloca(1000000);"},
    {"D_ARGS_IDX", "trace(args[0]);"},
    {"D_ARR_BADREF", "x = execname; trace(x[1, 2]);"},
    {"D_ARR_BOUNDS", "trace(curthread->comm[16]);"},
    {"D_ARR_BOUNDS", "trace(&curthread->comm[17]);"},
    {"D_ARR_BOUNDS", "trace(&curthread->comm[curthread->comm[16]]);"},
    {"D_ARR_LOCAL", "this->a[1] = 2;"},
    {"D_CAST_INVAL", "trace((struct list)1);"},
    {"D_CG_EXPR", "count();"},
    {"D_CG_EXPR", "(void)trace(1);"},
    {"D_DEREF_FUNC", "trace(*(&`vfs_read));"},
    {"D_DEREF_NONPTR", "trace(*pid);"},
    {"D_DEREF_VOID", "trace(*(void *)caller);"},
    {"D_DIV_ZERO", "trace(pid / 0);"},
    {"D_DIV_ZERO", "x = 1; x %= 0;"},
    {"D_FUNC_IDKIND", "pid();"},
    {"D_FUNC_UNDEF", "prinft(1);"},
    {"D_IDENT_BADREF", "trace(printf);"},
    {"D_IDENT_BADREF", "a[1] = 2; trace(a);"},
    {"D_IDENT_UNDEF", "trace(nothing);"},
    {"D_IDENT_UNDEF", "trace(`nothing);"},
    {"D_IDENT_UNDEF", "clear(@nothing);"},
    {"D_OFFSETOF_BITFIELD", "trace(offsetof(struct task_struct, flags));"},
    {"D_OFFSETOF_TYPE", "trace(offsetof(int, x));"},
    {"D_OP_ACT", "trace(0), trace(1);"},
    {"D_PROTO_LEN", "x = pid ? trace(0) : trace();"},
    {"D_OP_ACT", "x = pid ? trace(0) : trace(1);"},
    {"D_OP_ACT", "x = (pid, 1) ? trace(0) : trace(1);"},
    {"D_OP_ARITH", "trace(-execname);"},
    {"D_OP_ARITH", "trace(execname * 2);"},
    {"D_OP_ARRFUN", "x = curthread->comm;"},
    {"D_OP_DYN", "@a = count(); trace((@a, 1));"},
    {"D_OP_INCOMPAT", "trace(curthread == 1);"},
    {"D_OP_INCOMPAT", "x = 1; x = \"a\";"},
    {"D_OP_INCOMPAT", "trace(execname + execname);"},
    {"D_OP_INCOMPLETE", "trace(curthread->mm->x);"},
    {"D_OP_INT", "trace(execname & 1);"},
    {"D_OP_INT", "trace(~execname);"},
    {"D_OP_LVAL", "3 = 4;"},
    {"D_OP_LVAL", "(pid + 1) = 4;"},
    {"D_OP_PTR", "trace(pid->x);"},
    {"D_OP_SCALAR", "trace(!execname);"},
    {"D_OP_SCALAR", "trace(execname && 1);"},
    {"D_OP_SOU", "trace(curthread.pid);"},
    {"D_OP_VFPTR", "p = (void *)caller; p++;"},
    {"D_OP_WRITE", "pid = 1;"},
    {"D_OP_WRITE", "`jiffies = 1;"},
    {"D_PROTO_ARG", "strlen(1);"},
    {"D_PROTO_ARG", "a[\"x\"] = 1; a[1] = 2;"},
    {"D_PROTO_LEN", "strlen();"},
    {"D_PROTO_LEN", "rand(1);"},
    {"D_PROTO_LEN", "a[1] = 1; a[1, 2] = 2;"},
    {"D_REGS_IDX", "trace(uregs[-1]);"},
    {"D_REGS_NONE", "trace(regs[0]);"},
    {"D_INSN_NONE", "trace(memaddr);"},
    {"D_SIZEOF_BITFIELD", "trace(sizeof(curthread->flags));"},
    {"D_SIZEOF_TYPE", "trace(sizeof(struct mm_struct));"},
    {"D_STRINGOF_TYPE", "trace(stringof(`init_task));"},
    {"D_TYPE_MEMBER", "trace(curthread->pdi);"},
    {"D_UNKNOWN", "breakpoint();"},
    {"D_UNKNOWN", "panic();"},
    {"D_VAR_UNDEF", "trace(self->x);"},
    {"D_VAR_UNDEF", "trace(x[1]);"},
    {"D_VAR_UNDEF", "x = x + 1;"},
    {"D_VAR_UNDEF", "x += 1;"},
    {"D_XLATE_NONE", "trace(xlate <struct list> (curthread).next);"},
});

constexpr auto actions = std::to_array<Case>({
    {"D_AGG_FUNC", "@a = 1;"},
    {"D_AGG_MDIM", "@a[1][2] = count();"},
    {"D_AGG_NULL", "@a[1];"},
    {"D_AGG_REDEF", "@a = count(); @a = sum(1);"},
    {"D_AGG_SCALAR", "@a = sum(execname);"},
    {"D_KEY_TYPE", "@a[trace(1)] = count();"},
    {"D_PROTO_LEN", "@a = count(1);"},
    {"D_PROTO_LEN", "@a[1] = count(); @a = count();"},
    {"D_PROTO_ARG", "@a[1] = count(); @a[\"x\"] = count();"},
    {"D_PROTO_ARG", "@a[stack()] = count(); @a[1] = count();"},
    {"D_LQUANT_BASETYPE", "@a = lquantize(1, pid, 10);"},
    {"D_LQUANT_BASEVAL", "@a = lquantize(1, 5000000000, 10);"},
    {"D_LQUANT_LIMTYPE", "@a = lquantize(1, 0, pid);"},
    {"D_LQUANT_LIMVAL", "@a = lquantize(1, 0, 5000000000);"},
    {"D_LQUANT_MISMATCH", "@a = lquantize(1, 10, 10);"},
    {"D_LQUANT_STEPTYPE", "@a = lquantize(1, 0, 10, pid);"},
    {"D_LQUANT_STEPVAL", "@a = lquantize(1, 0, 10, 65536);"},
    {"D_LQUANT_STEPLARGE", "@a = lquantize(1, 0, 10, 11);"},
    {"D_LQUANT_STEPSMALL", "@a = lquantize(1, 0, 65536);"},
    {"D_LQUANT_MATCHBASE", "@a = lquantize(1, 0, 10); @a = lquantize(1, 1, 10);"},
    {"D_LQUANT_MATCHLIM", "@a = lquantize(1, 0, 10); @a = lquantize(1, 0, 11);"},
    {"D_LQUANT_MATCHSTEP", "@a = lquantize(1, 0, 10); @a = lquantize(1, 0, 10, 2);"},
    {"D_LLQUANT_FACTORTYPE", "@a = llquantize(1, pid, 0, 6, 20);"},
    {"D_LLQUANT_FACTORVAL", "@a = llquantize(1, 1, 0, 6, 20);"},
    {"D_LLQUANT_LMAGTYPE", "@a = llquantize(1, 10, pid, 6, 20);"},
    {"D_LLQUANT_LMAGVAL", "@a = llquantize(1, 10, 65536, 6, 20);"},
    {"D_LLQUANT_HMAGTYPE", "@a = llquantize(1, 10, 0, pid, 20);"},
    {"D_LLQUANT_HMAGVAL", "@a = llquantize(1, 10, 3, 2, 20);"},
    {"D_LLQUANT_HMAGVAL", "@a = llquantize(1, 10, 0, 20, 20);"},
    {"D_LLQUANT_STEPTYPE", "@a = llquantize(1, 10, 0, 6, 0);"},
    {"D_LLQUANT_STEPVAL", "@a = llquantize(1, 10, 0, 6, 3);"},
    {"D_LLQUANT_STEPVAL", "@a = llquantize(1, 10, 0, 6, 15);"},
    {"D_LLQUANT_STEPVAL", "@a = llquantize(1, 10, 1, 6, 30);"},
    {"D_LLQUANT_MATCHFACTOR",
     "@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 20, 0, 6, 20);"},
    {"D_LLQUANT_MATCHLMAG",
     "@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 1, 6, 20);"},
    {"D_LLQUANT_MATCHHMAG",
     "@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 0, 5, 20);"},
    {"D_LLQUANT_MATCHSTEPS",
     "@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 0, 6, 10);"},
    {"D_CLEAR_AGGARG", "clear(1);"},
    {"D_TRUNC_AGGARG", "trunc(1);"},
    {"D_NORMALIZE_AGGARG", "normalize(1, 1);"},
    {"D_NORMALIZE_AGGARG", "denormalize(1);"},
    {"D_PROTO_ARG", "@a = count(); normalize(@a, execname);"},
    {"D_PRINTA_AGGARG", "printa(1);"},
    {"D_PRINTA_AGGKEY", "@a = count(); @b[1] = count(); printa(@a, @b);"},
    {"D_PRINTA_AGGPROTO", "@a[1] = count(); @b[\"x\"] = count(); printa(@a, @b);"},
    {"D_PRINTA_PROTO", "printa(\"x\");"},
    {"D_PRINTF_AGG_CONV", "printf(\"%@d\", 1);"},
    {"D_PRINTF_ARG_EXTRA", "printf(\"x\", 1);"},
    {"D_PRINTF_ARG_FMT", "printf(execname);"},
    {"D_PRINTF_ARG_PROTO", "printf(\"%d\");"},
    {"D_PRINTF_ARG_TYPE", "printf(\"%d\", execname);"},
    {"D_PRINTF_ARG_TYPE", "@a[1] = count(); printa(\"%s\", @a);"},
    {"D_PRINTF_DYN_PROTO", "printf(\"%*d\");"},
    {"D_PRINTF_DYN_TYPE", "printf(\"%*d\", execname, 1);"},
    {"D_PRINTF_FMT_EMPTY", "printf(\"\");"},
    {"D_PRINT_SIZE", "print(curthread->mm);"},
    {"D_PROTO_ARG", "printf(1);"},
    {"D_FREOPEN_INVALID", "freopen(\".\");"},
    {"D_SYNTAX", "printf(\"%q\", 1);"},
    {"D_STACK_SIZE", "stack(0);"},
    {"D_STACK_SIZE", "stack(pid);"},
    {"D_USTACK_FRAMES", "ustack(-1);"},
    {"D_USTACK_STRSIZE", "ustack(1, pid);"},
    {"D_TRACE_DYN", "@a = count(); trace(@a);"},
    {"D_TRACE_VOID", "trace(trace(1));"},
    {"D_TRACE_VOID", "trace((void)pid);"},
    {"D_PRINTM_ADDR", "printm(1, 0);"},
    {"D_PRINTM_SIZE", "printm(0, memref(0, 1));"},
    {"D_PRINTM_SIZE", "printm(pid, memref(0, 1));"},
    {"D_TRACEMEM_ADDR", "tracemem(execname, 1);"},
    {"D_TRACEMEM_SIZE", "tracemem(caller, 0);"},
    {"D_TRACEMEM_SIZE", "tracemem(caller, pid);"},
    {"D_DESTRUCTIVE", "system(\"x\");"},
    {"D_DESTRUCTIVE", "copyout(alloca(1), 1, 1);"},
});

constexpr auto orders = std::to_array<Case>({
    {"D_ACT_SPEC", "speculate(1); stop();"},
    {"D_ACT_SPEC", "speculate(1); copyout(alloca(1), 1, 1);"},
    {"D_ACT_SPEC", "speculate(1); breakpoint();"},
    {"D_AGG_COMM", "commit(1); @a = count();"},
    {"D_AGG_SPEC", "speculate(1); @a = count();"},
    {"D_COMM_COMM", "commit(1); commit(1);"},
    {"D_COMM_COMM", "if (pid) { commit(1); } commit(1);"},
    {"D_COMM_DREC", "trace(1); commit(1);"},
    {"D_COMM_DREC", "if (pid) { trace(1); } commit(1);"},
    {"D_DREC_COMM", "commit(1); trace(1);"},
    {"D_EXIT_SPEC", "speculate(1); exit(0);"},
    {"D_SPEC_COMM", "commit(1); speculate(1);"},
    {"D_SPEC_DREC", "trace(1); speculate(1);"},
    {"D_SPEC_SPEC", "speculate(1); speculate(1);"},
});

class Declarations : public ::testing::TestWithParam<Case> {};
TEST_P(Declarations, ToldByItsTag) {
  EXPECT_EQ(check_text(GetParam().program).tags,
            std::vector<std::string>{GetParam().tag});
}
INSTANTIATE_TEST_SUITE_P(CheckErrors, Declarations, ::testing::ValuesIn(declarations));

class Statements : public ::testing::TestWithParam<Case> {};
TEST_P(Statements, ToldByItsTag) {
  const ProbeContext probe{.description = "BEGIN",
                           .arguments = std::vector<ProbeArgument>()};
  const std::string text = std::string("BEGIN { ") + GetParam().program + " }";
  EXPECT_EQ(check_text(text, probe).tags, std::vector<std::string>{GetParam().tag});
}
INSTANTIATE_TEST_SUITE_P(OfExpressions, Statements, ::testing::ValuesIn(expressions));
INSTANTIATE_TEST_SUITE_P(OfActions, Statements, ::testing::ValuesIn(actions));
INSTANTIATE_TEST_SUITE_P(OfOrder, Statements, ::testing::ValuesIn(orders));

TEST(CheckErrors, TellWhatThePredicateLacks) {
  EXPECT_EQ(check_text("BEGIN /execname/ { trace(1); }").diagnostics,
            "failed to compile test: [D_PRED_SCALAR] line 1: a predicate's "
            "result must be of scalar type\n"
            "    1 | BEGIN /execname/ { trace(1); }\n"
            "      |        ^^^^^^^^ this is of type string\n"
            "      hint: text is compared, as in execname == \"cat\"\n");
}

TEST(CheckErrors, SuggestNearNames) {
  EXPECT_EQ(check_text("BEGIN { trace(timestmap); }").diagnostics,
            "failed to compile test: [D_IDENT_UNDEF] line 1: failed "
            "to resolve "
            "timestmap: unknown variable\n"
            "    1 | BEGIN { trace(timestmap); }\n"
            "      |               ^^^^^^^^^\n"
            "      hint: did you mean 'timestamp' or 'vtimestamp'?\n");
}

TEST(CheckErrors, HelpThoseWhoKnowC) {
  const auto hint_of = [](std::string_view body) {
    const std::string text =
        check_text("BEGIN { " + std::string(body) + " }").diagnostics;
    const std::size_t at = text.find("hint: ");
    return at == std::string::npos ? "" : text.substr(at + 6);
  };
  EXPECT_EQ(hint_of("trace(regs[RSI]);"), "the register is regs[R_RSI]\n");
  EXPECT_EQ(hint_of("trace(rsi);"), "the register is regs[R_RSI]\n");
  EXPECT_EQ(hint_of("trace(reg(1));"), "in D this is an element of regs[]\n");
  EXPECT_EQ(hint_of("a = count();"), "aggregations begin with @, as in @a = count()\n");
  EXPECT_EQ(hint_of("exit;"), "call it, as in exit(0)\n");
  EXPECT_EQ(hint_of("self.x = 3;"), "a variable of it is written self->name\n");
  EXPECT_EQ(hint_of("trace(pid = 3);"), "to compare, write ==\n");
  EXPECT_EQ(hint_of("trace(strcmp(execname, execname));"),
            "in D this is ==, < and > between strings\n");
}

TEST(CheckErrors, HelpThoseWhoKnowBpftrace) {
  const auto hint_of = [](std::string_view body) {
    const std::string text =
        check_text("BEGIN { " + std::string(body) + " }").diagnostics;
    const std::size_t at = text.find("hint: ");
    return at == std::string::npos ? "" : text.substr(at + 6);
  };
  EXPECT_EQ(hint_of("trace(comm);"), "in D this is execname\n");
  EXPECT_EQ(hint_of("@ = hist(1);"), "in D this is quantize()\n");
  EXPECT_EQ(hint_of("kstack;"), "in D this is stack()\n");
}

TEST(CheckErrors, TellSeveralAtOnce) {
  EXPECT_EQ(check_text("BEGIN { trace(a); trace(1 / 0); } END { b[1]; }").tags,
            (std::vector<std::string>{"D_IDENT_UNDEF", "D_DIV_ZERO", "D_VAR_UNDEF"}));
}

TEST(CheckErrors, TellOnceWhatIsWrongForEveryDescription) {
  EXPECT_EQ(check_text("BEGIN, END { trace(1 / 0); }").tags,
            std::vector<std::string>{"D_DIV_ZERO"});
}

TEST(CheckErrors, RefuseArgumentsInTheMiddleOfAFunction) {
  EXPECT_EQ(
      check_text("kinst::f:4 { trace(arg0); }", testing::instruction_probe()).tags,
      std::vector<std::string>{"D_ARGS_NONE"});
}

TEST(CheckErrors, LetAPredicateGiveANameItsType) {
  EXPECT_EQ(check_text("BEGIN /x++/ { trace(x); }").diagnostics, "");
  EXPECT_EQ(check_text("BEGIN /x == 0/ { trace(x++); }").diagnostics, "");
  for (const char* body :
       {"trace(x);", "@ = max(x);", "@[x] = count();", "a[x] = 1;"}) {
    EXPECT_EQ(check_text("BEGIN /1/ { " + std::string(body) + " }").tags,
              std::vector<std::string>{"D_IDENT_UNDEF"})
        << body;
  }
  EXPECT_EQ(check_text("BEGIN /x/ { trace(x); }").tags,
            std::vector<std::string>{"D_IDENT_UNDEF"});
}

TEST(CheckErrors, DoNotTellWhatFollowsFromAnother) {
  for (const char* body :
       {"x = nothing; y = x + 1; trace(y); x++;", "self->x = nothing; trace(self->x);",
        "this->x = nothing; trace(this->x + 1);", "a[1] = nothing; trace(a[1]);",
        "self->a[1] = nothing; trace(self->a[1]);", "x += 1; trace(x);",
        "@a = sum(nothing); printa(@a);", "trace(nothing); trace(nothing + 1);"}) {
    EXPECT_EQ(check_text("BEGIN { " + std::string(body) + " } END { trace(pid); }")
                  .tags.size(),
              1U)
        << body;
  }
}

TEST(CheckErrors, DoNotTellWhatAnAbsentProbeWouldHave) {
  const ProbeContext probe{.description = "kinst::nowhere:4",
                           .is_absent = true,
                           .has_registers = true,
                           .is_instruction = true};
  EXPECT_EQ(check_text("kinst::nowhere:4 { trace(local); trace(args[0]); "
                       "trace(locals[2]); x = local; trace(x); trace(1 / 0); }",
                       probe)
                .tags,
            std::vector<std::string>{"D_DIV_ZERO"});
}

TEST(CheckErrors, BoundWhatInlinesMakeOfAProgram) {
  std::string wide = "inline long a0 = pid;";
  std::string deep = wide;
  for (int i = 1; i < 60; ++i) {
    wide += fmt::format("inline long a{} = a{} + a{};", i, i - 1, i - 1);
  }
  for (int i = 1; i < 2000; ++i) {
    deep += fmt::format("inline long a{} = a{};", i, i - 1);
  }
  const std::string nested = "inline long twice[long n] = n + n; BEGIN { trace(" + [] {
    std::string text = "pid";
    for (int i = 0; i < 60; ++i) {
      text.insert(0, "twice[").append("]");
    }
    return text;
  }() + "); }";
  for (const std::string& text : {wide, deep, nested}) {
    EXPECT_EQ(check_text(text).tags, std::vector<std::string>{"D_UNKNOWN"});
  }
}

// Each takes as long as it is wide but for what is remembered of the types below, or
// calls itself as deep.
TEST(CheckErrors, AreFoundInTypesThatAreBuiltOfMany) {
  constexpr int depth = 200;
  std::string records = "struct s0 { char a; };";
  std::string functions = "typedef int f0(int); typedef int g0(int);";
  for (int i = 1; i <= depth; ++i) {
    // By two, and no larger for it.
    records += fmt::format("union s{0} {{ {2} s{1} a, b; }};", i, i - 1,
                           i == 1 ? "struct" : "union");
    // Pointers to functions count twice.
    if (i <= depth / 2) {
      functions += fmt::format(
          "typedef int f{0}(f{1} *, f{1} *); typedef int g{0}(g{1} *, g{1} *);", i,
          i - 1);
    }
  }
  EXPECT_EQ(
      check_text(records + "union s200 u;" + "BEGIN { u.b.b = u.a.a; }").diagnostics,
      "");
  EXPECT_EQ(check_text(functions + "extern f100 *h; extern g100 *h;").diagnostics, "");
}

TEST(CheckErrors, RefuseTypesThatAreTooDeep) {
  constexpr int depth = 5000;
  std::string pointers = "typedef int *t0;";
  std::string records = "struct s0 { char a; };";
  std::string arrays = "typedef int t0[1];";
  for (int i = 1; i <= depth; ++i) {
    pointers += fmt::format("typedef t{} *t{};", i - 1, i);
    records += fmt::format("struct s{} {{ struct s{} a; }};", i, i - 1);
    arrays += fmt::format("typedef t{} t{}[1];", i - 1, i);
  }
  for (const std::string& program : {pointers, records, arrays}) {
    EXPECT_NE(check_text(program).diagnostics.find("the type is nested too deeply"),
              std::string::npos);
  }
}

TEST(CheckErrors, DoNotCountTypedefsAsDepth) {
  std::string program = "typedef int t0;";
  for (int i = 1; i <= 5000; ++i) {
    program += fmt::format("typedef t{} t{};", i - 1, i);
  }
  EXPECT_EQ(check_text(program + "t5000 x; BEGIN { x = 1; }").diagnostics, "");
}

TEST(CheckErrors, KeepClauseVariablesToTheirText) {
  EXPECT_EQ(check_text("BEGIN { this->x = 1; } BEGIN { trace(this->x); }").diagnostics,
            "");
}

}  // namespace
}  // namespace kinst::d
