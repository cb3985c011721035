// What the checker tells of args[], translators and names that could be two things.
#include <gtest/gtest.h>

#include "d/check/checker_fixture.h"

namespace kinst::d {
namespace {

using testing::check_text;
using testing::tags_of;
using testing::typed_body;

using Tags = std::vector<std::string>;

ProbeContext with_arguments(std::optional<std::vector<ProbeArgument>> arguments) {
  return {.description = "proc:::start", .arguments = std::move(arguments)};
}

TEST(CheckProbeArguments, AreNotKnownBeforeThereIsAProbe) {
  const auto checked =
      check_text("proc::: { trace(args[0]); }", with_arguments(std::nullopt));
  EXPECT_EQ(checked.tags, Tags{"D_ARGS_MULTI"});
  EXPECT_NE(checked.diagnostics.find("there is no probe proc:::start yet"),
            std::string::npos)
      << checked.diagnostics;
}

TEST(CheckProbeArguments, AreNotThereAtInstructions) {
  for (const char* program :
       {"kinst::f:4 { trace(args[0]); }", "kinst::f:4 { trace(arg0); }"}) {
    EXPECT_EQ(check_text(program, testing::instruction_probe()).tags,
              Tags{"D_ARGS_NONE"});
  }
}

TEST(CheckProbeArguments, NeedAKnownType) {
  types::TypeTable table;
  const auto probe = with_arguments(std::vector<ProbeArgument>{
      {.native = table.int_type(), .translated = "nowhere_t *", .native_index = 0}});
  EXPECT_EQ(check_text("proc::: { trace(args[0]); }", probe).tags, Tags{"D_ARGS_TYPE"});
}

TEST(CheckProbeArguments, ByValueAreMadeOfTheirWords) {
  types::TypeTable table;
  const testing::FakeKernel kernel(table);
  const auto probe = with_arguments(std::vector<ProbeArgument>{
      {.native = table.int_type()},
      {.native = kernel.atomic, .native_index = 1, .record = RecordPlace{.words = {1}}},
      {.native = kernel.task,
       .native_index = 2,
       .record = RecordPlace{.words = {2, 3, 4, 5, 6, 7, 8}}}});
  EXPECT_EQ(
      check_text("f { trace(args[1].counter); trace(sizeof (args[1])); }", probe).text,
      "description 0\n"
      "  trace(*(int *)(atomic_t *)(atomic_t){+0: (uint32_t)args[1]})\n"
      "  trace(4)\n");
  const testing::Checked of_task = check_text("f { trace(args[2].pid); }", probe);
  EXPECT_NE(of_task.text.find("+0: args[2], +8: args[3], +16: args[4]"),
            std::string::npos)
      << of_task.text << of_task.diagnostics;
}

TEST(CheckProbeArguments, InMemoryAreReadThere) {
  types::TypeTable table;
  const testing::FakeKernel kernel(table);
  const auto probe = with_arguments(std::vector<ProbeArgument>{
      {.native = kernel.task,
       .record =
           RecordPlace{.words = {}, .stack_register = 1, .stack_offset_bytes = 16}}});
  const testing::Checked checked = check_text("f { trace(args[0].pid); }", probe);
  EXPECT_EQ(checked.text,
            "description 0\n  trace(*(int *)((struct task_struct *)regs[1] + 16))\n")
      << checked.diagnostics;
}

TEST(CheckProbeArguments, ThatCannotBeReadSayWhy) {
  types::TypeTable table;
  const auto probe = with_arguments(std::vector<ProbeArgument>{
      {.native = table.int_type(), .why_unreadable = "it is elsewhere"}});
  const testing::Checked checked = check_text("f { trace(args[0]); }", probe);
  EXPECT_EQ(checked.tags, Tags{"D_ARGS_TYPE"});
  EXPECT_NE(checked.diagnostics.find("cannot be read: it is elsewhere"),
            std::string::npos)
      << checked.diagnostics;
}

TEST(CheckProbeArguments, NeedATranslator) {
  types::TypeTable table;
  const auto probe = with_arguments(std::vector<ProbeArgument>{
      {.native = table.int_type(), .translated = "info_t *", .native_index = 0}});
  EXPECT_EQ(check_text("typedef struct info { int id; } info_t;"
                       "proc::: { trace(args[0]->id); }",
                       probe)
                .tags,
            Tags{"D_ARGS_XLATOR"});
}

// As the formats of tracepoints spell them.
TEST(CheckProbeArguments, HaveTypesBySpelling) {
  types::TypeTable table;
  testing::FakeKernel kernel(table);
  for (const auto& [spelling, size] :
       std::vector<std::pair<std::string, unsigned>>{{"short", 2},
                                                     {"unsigned char", 1},
                                                     {"long long unsigned int", 8},
                                                     {"const char *", 8},
                                                     {"char [16]", 16},
                                                     {"unsigned short[3]", 6}}) {
    const auto type = find_type(spelling, kernel, table);
    ASSERT_TRUE(type) << spelling;
    EXPECT_EQ(table.size_of(*type), size) << spelling;
  }
  EXPECT_FALSE(find_type("nowhere_t", kernel, table));
  EXPECT_FALSE(find_type("__data_loc char[] name", kernel, table));
}

TEST(CheckTranslators, MustDefineTheMemberThatIsUsed) {
  EXPECT_EQ(check_text("struct info { int id; int flag; };"
                       "translator struct info < int N > { id = N; };"
                       "BEGIN { trace(xlate <struct info> (1).flag); }")
                .tags,
            Tags{"D_XLATE_NOCONV"});
}

TEST(CheckTranslators, BecomeValuesWherePointersAreStored) {
  EXPECT_EQ(check_text("struct info { int id; };"
                       "translator struct info < int N > { id = N; };"
                       "BEGIN { p = xlate <struct info *> (7); trace(p->id); }")
                .text,
            "p: struct info *\n"
            "description 0\n"
            "  (p = (struct info *)(struct info){+0: 7})\n"
            "  trace(*(int *)p)\n");
}

TEST(CheckNames, ThatAreEnumeratorsAndVariablesAreAmbiguous) {
  EXPECT_EQ(check_text("enum state { RUNNING } *p; int SLEEPING;"
                       "BEGIN { trace(*(enum vmlinux`state *)p == SLEEPING); }")
                .tags,
            Tags{"D_IDENT_AMBIG"});
}

TEST(CheckNames, OfDeclarationsHaveNoScope) {
  EXPECT_EQ(check_text("struct s { int a`b; };").tags, Tags{"D_DECL_SCOPE"});
  EXPECT_EQ(check_text("int a`b;").tags, Tags{"D_DECL_SCOPE"});
}

TEST(CheckTranslators, AreNoKeysAndNotCast) {
  const std::string info =
      "struct info { int id; }; translator struct info < int N > { id = N; };"
      "inline struct info *one = xlate <struct info *> (1);";
  EXPECT_EQ(check_text(info + "BEGIN { @[one] = count(); }").tags, Tags{"D_KEY_TYPE"});
  EXPECT_EQ(check_text(info + "BEGIN { trace((long)xlate <struct info *> (1)); }").tags,
            Tags{"D_CAST_INVAL"});
}

TEST(CheckTypes, OfTheProgramHaveAScopeOfTheirOwn) {
  EXPECT_EQ(check_text("struct task_struct { int mine; int other; };"
                       "BEGIN { trace(offsetof(struct D`task_struct, other));"
                       " trace(offsetof(struct vmlinux`task_struct, comm)); }")
                .text,
            "description 0\n  trace(4)\n  trace(4)\n");
  EXPECT_EQ(tags_of("trace(sizeof (struct D`list));"), "D_SIZEOF_TYPE");
}

TEST(CheckTypes, HaveDTracesSizes) {
  EXPECT_EQ(typed_body("trace(sizeof (NULL)); trace(sizeof \"hi\");"
                       "s = \"a\"; trace(sizeof (s)); trace(sizeof (string));"),
            "trace(4)\ntrace(3)\n(s = \"a\")\ntrace(255)\ntrace(255)\n");
}

TEST(CheckWrites, ReachMembersOfMembersAndThroughCasts) {
  EXPECT_EQ(check_text("struct s { struct { int a[2]; } in; } *p;"
                       "BEGIN { p = alloca(8); p->in.a[0] = 1;"
                       " *(char *)p = 2; }")
                .diagnostics,
            "");
  EXPECT_EQ(tags_of("curthread->pid = 1;"), "D_OP_WRITE");
}

TEST(CheckWrites, NeverGoIntoAString) {
  EXPECT_EQ(tags_of("copyinto(1, 2, \"\");"), "D_PROTO_ARG");
  EXPECT_EQ(tags_of(R"(s = "a"; bcopy("b", s, 1);)"), "D_PROTO_ARG");
}

}  // namespace
}  // namespace kinst::d
