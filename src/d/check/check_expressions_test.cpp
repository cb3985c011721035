#include <gtest/gtest.h>

#include "d/check/checker_fixture.h"

namespace kinst::d {
namespace {

using testing::check_text;
using testing::tags_of;
using testing::typed_body;

TEST(CheckExpressions, FoldConstants) {
  EXPECT_EQ(typed_body("trace(3 + 4 * 2); trace(1 << 33); trace(~0); trace(7 / -2);"),
            "trace(11)\ntrace(8589934592)\ntrace(-1)\ntrace(-3)\n");
}

TEST(CheckExpressions, StandForWhatAConstantConditionChooses) {
  EXPECT_EQ(typed_body("1 ? trace(1) : nothing(); 0 ? nothing : trace(2);"
                       "SLEEPING == 5 ? trace(3) : 1; 2 > 1 ? 0 ? x : trace(4) : y;"
                       "trace(1 ? 5 : execname); printf(0 ? \"%s\" : \"%d\", 6);"),
            "trace(1)\ntrace(2)\ntrace(3)\ntrace(4)\ntrace(5)\nprintf(\"%d\", 6)\n");
  EXPECT_EQ(
      tags_of("1 ? @a[pid] = count() : 0; @b = 0 ? sum(1) : count(); @b = count();"),
      "");
  EXPECT_EQ(check_text("inline int ON = sizeof (long) == 8; inline int OFF = !ON;"
                       "enum e { NONE, SOME = 3 };"
                       "BEGIN { ON ? trace(1) : 1; OFF ? exit(no) : 1;"
                       "  SOME ? trace(2) : 1; NONE ? trace(x) : 1; }")
                .diagnostics,
            "");
}

TEST(CheckExpressions, AreNoConstantsWhereTheyLookLikeOne) {
  EXPECT_EQ(tags_of("x = 1; x ? trace(1) : trace(2);"), "D_OP_ACT");
  EXPECT_EQ(tags_of("(pid ? 1 : 1) ? trace(1) : trace(2);"), "D_OP_ACT");
  EXPECT_EQ(check_text("inline int f[int a] = a ? count() : 1; BEGIN { f[1]; }").tags,
            std::vector<std::string>{"D_OP_DYN"});
}

TEST(CheckExpressions, HaveTheAddressBehindAnArraysLastElement) {
  EXPECT_EQ(tags_of("x = &curthread->comm[16]; y = &curthread->comm[15];"), "");
}

TEST(CheckExpressions, WriteThroughWhatIsCastToAPointer) {
  EXPECT_EQ(tags_of("*((int *)alloca(4)) = 1; *(int *)0x1234 = 1;"
                    "((int *)alloca(8))[1] = 2; ((struct list *)pid)->next = NULL;"
                    "++*(char *)curthread;"),
            "");
  EXPECT_EQ(tags_of("curthread->pid = 1;"), "D_OP_WRITE");
}

TEST(CheckExpressions, MayBeAnyPointerToPrint) {
  EXPECT_EQ(tags_of("print((void *)0x1234);"), "");
}

TEST(CheckExpressions, MayFollowDestructiveActionsWithASpeculation) {
  EXPECT_EQ(check_text("BEGIN { chill(1); speculate(1); }"
                       "BEGIN { commit(1); raise(9); }",
                       {}, {.destructive = true})
                .diagnostics,
            "");
}

TEST(CheckExpressions, KnowTheTypesThatScriptsTakeForGranted) {
  EXPECT_EQ(typed_body("trace(sizeof(u_long)); trace(sizeof(caddr_t));"
                       "trace(sizeof(boolean_t)); trace((hrtime_t)-1);"),
            "trace(8)\ntrace(8)\ntrace(4)\ntrace(-1)\n");
  EXPECT_EQ(check_text("typedef char boolean_t; BEGIN { trace((boolean_t)257); }").text,
            check_text("typedef char other; BEGIN { trace((other)257); }").text);
}

TEST(CheckExpressions, CompareInTheUsualConversion) {
  EXPECT_EQ(typed_body("trace(-1 > 1U); trace(-1 > 1); trace(-1 == 0xffffffff);"),
            "trace(1)\ntrace(0)\ntrace(1)\n");
}

TEST(CheckExpressions, ConvertOperandsToTheCommonType) {
  EXPECT_EQ(typed_body("trace(pid + timestamp); trace(uid < errno);"),
            "trace(((uint64_t)pid + timestamp))\ntrace((uid < (uid_t)errno))\n");
}

TEST(CheckExpressions, ScalePointerArithmetic) {
  EXPECT_EQ(
      typed_body("this->p = (int *)caller; trace(this->p + 2); trace(this->p - pid);"
                 "trace(this->p - (int *)8);"),
      "(this->p = (int *)caller)\n"
      "trace((this->p + 8))\n"
      "trace((this->p - ((int64_t)pid * 4)))\n"
      "trace((((int64_t)this->p - 8) / 4))\n");
}

TEST(CheckExpressions, LowerMembersToLoads) {
  EXPECT_EQ(typed_body("trace(curthread->parent->pid); trace(curthread->tasks.next);"),
            "trace(*(int *)*(struct task_struct * *)(curthread + 24))\n"
            "trace(*(struct list * *)(curthread + 32))\n");
}

TEST(CheckExpressions, LowerBitFieldsToTheirUnit) {
  EXPECT_EQ(typed_body("trace(curthread->flags); trace(curthread->exiting);"),
            "trace(*(unsigned int *)(curthread + 20):0..2)\n"
            "trace(*(unsigned int *)(curthread + 20):3..3)\n");
}

TEST(CheckExpressions, LowerIndices) {
  EXPECT_EQ(typed_body("trace(curthread->comm[1]); trace(curthread->comm[pid]);"
                       "trace(execname[2]);"),
            "trace(*(char *)(curthread + 5))\n"
            "trace(*(char *)((curthread + 4) + ((int64_t)pid * 1)))\n"
            "trace(*(char *)((char *)execname + 2))\n");
}

TEST(CheckExpressions, TakeKernelVariablesOfUnknownTypeForWords) {
  EXPECT_EQ(typed_body("trace(`secret); trace((int)`secret); trace(sizeof(`secret));"),
            "trace(*(uintptr_t *)16384)\n"
            "trace((int)*(uintptr_t *)16384)\n"
            "trace(8)\n");
}

TEST(CheckExpressions, ReadKernelSymbolsAtTheirAddress) {
  EXPECT_EQ(typed_body("trace(`jiffies); trace(&`init_task); trace(`init_task.pid);"
                       "trace((uintptr_t)&`vfs_read); trace(sizeof(`vfs_read));"),
            "trace(*(unsigned long *)4096)\n"
            "trace(8192)\n"
            "trace(*(int *)8192)\n"
            "trace(12288)\n"
            "trace(200)\n");
}

TEST(CheckExpressions, CompareStringsAsStrings) {
  EXPECT_EQ(typed_body("trace(execname == \"sh\"); trace(curthread->comm != execname);"
                       "trace(curthread->parent == 0);"),
            "trace((execname == \"sh\"))\n"
            "trace(((string)*(char [16] *)(curthread + 4) != execname))\n"
            "trace((*(struct task_struct * *)(curthread + 24) == 0))\n");
}

TEST(CheckExpressions, ChooseACommonTypeForConditionals) {
  EXPECT_EQ(typed_body("trace(pid ? execname : \"x\"); trace(pid ? 1 : 2L);"
                       "trace(1 ? pid : 3);"),
            "trace((pid ? execname : \"x\"))\n"
            "trace((pid ? 1 : 2))\n"
            "trace(pid)\n");
}

TEST(CheckExpressions, TakeEnumeratorsBesideTheirEnum) {
  EXPECT_EQ(typed_body("this->s = (enum state)pid; trace(this->s == RUNNING);"),
            "(this->s = (enum state)pid)\n"
            "trace(((int)this->s == 0))\n");
}

TEST(CheckExpressions, KnowTheKernelsEnumeratorsAndRegisters) {
  EXPECT_EQ(check_text("kinst::f:4 { trace(SLEEPING); trace(regs[R_RSI]); }",
                       testing::instruction_probe())
                .text,
            "description 0\n  trace(5)\n  trace(regs[1])\n");
}

TEST(CheckExpressions, TypeVariablesByTheirFirstAssignment) {
  EXPECT_EQ(check_text("BEGIN { x = 1; s = \"a\"; self->t = timestamp; y++; }").text,
            "x: int\n"
            "s: string\n"
            "self->t: uint64_t\n"
            "y: int64_t\n"
            "description 0\n"
            "  (x = 1)\n"
            "  (s = \"a\")\n"
            "  (self->t = timestamp)\n"
            "  (y then += 1)\n");
}

TEST(CheckExpressions, TypeAssociativeArraysByTheirFirstUse) {
  EXPECT_EQ(check_text("BEGIN { a[1, curthread->comm] = 2; a[2, \"x\"]++; }").text,
            "a[int, string]: int\n"
            "description 0\n"
            "  (a[1, (string)*(char [16] *)(curthread + 4)] = 2)\n"
            "  (a[2, \"x\"] then += 1)\n");
}

TEST(CheckExpressions, LetZeroFreeDynamicVariables) {
  EXPECT_EQ(typed_body(R"(self->s = "a"; self->s = 0; a[1] = "b"; a[1] = 0;)"),
            "(self->s = \"a\")\n(self->s = 0)\n(a[1] = \"b\")\n(a[1] = 0)\n");
  EXPECT_EQ(typed_body("s = \"a\"; s = 0;"), "(s = \"a\")\n(s = 0)\n");
  EXPECT_EQ(tags_of("x = `init_task; x = 0;"), "D_OP_INCOMPAT");
}

TEST(CheckExpressions, KnowTheNullPointer) {
  EXPECT_EQ(typed_body("trace(curthread == NULL); p = (int *)caller; p = NULL;"),
            "trace((curthread == 0))\n(p = (int *)caller)\n(p = 0)\n");
}

TEST(CheckExpressions, DoCompoundAssignmentsWithoutConversion) {
  EXPECT_EQ(typed_body("x = 1; x += timestamp; x <<= 2; p = (int *)caller; p += 2;"),
            "(x = 1)\n"
            "(x += timestamp)\n"
            "(x <<= 2)\n"
            "(p = (int *)caller)\n"
            "(p += 8)\n");
}

TEST(CheckExpressions, WriteMembersOfVariables) {
  EXPECT_EQ(check_text("struct pair { int a, b; }; struct pair g; self struct pair t;"
                       "BEGIN { g.b = 1; self->t.b = 2; }")
                .text,
            "g: struct pair\n"
            "self->t: struct pair\n"
            "description 0\n"
            "  (*(int *)(&g + 4) = 1)\n"
            "  (*(int *)((struct pair *)self->t + 4) = 2)\n");
}

TEST(CheckExpressions, PassCharactersToSubroutinesAsStrings) {
  EXPECT_EQ(typed_body("trace(strlen(curthread->comm)); trace(strchr(execname, '/'));"
                       "trace(htons(pid));"),
            "trace(strlen((string)*(char [16] *)(curthread + 4)))\n"
            "trace(strchr(execname, 47))\n"
            "trace(htons((uint16_t)pid))\n");
}

TEST(CheckExpressions, SubstituteInlines) {
  EXPECT_EQ(check_text("inline int limit = 5; inline long twice[long n] = n * 2;"
                       "BEGIN { trace(limit + 1); trace(twice[pid]); }")
                .text,
            "description 0\n  trace(6)\n  trace(((long)pid * 2))\n");
}

}  // namespace
}  // namespace kinst::d
