#include <gtest/gtest.h>

#include "d/check/checker_fixture.h"

namespace kinst::d {
namespace {

using testing::check_text;

constexpr const char* prologue = R"(
struct info { int id; int parent; char name[16]; };
typedef struct info info_t;
translator info_t < struct task_struct *T > {
  id = T->pid;
  parent = T->parent->pid;
};
inline info_t *current = xlate <info_t *> (curthread);
)";

std::string text_of(const std::string& clause) {
  const auto checked = check_text(prologue + clause);
  return checked.diagnostics + checked.text;
}

TEST(CheckTranslators, SubstituteTheMemberThatIsUsed) {
  EXPECT_EQ(text_of("BEGIN { trace(current->parent); }"),
            "description 0\n"
            "  trace(*(int *)*(struct task_struct * *)(curthread + 24))\n");
}

TEST(CheckTranslators, ApplyToAnyExpression) {
  EXPECT_EQ(text_of("BEGIN { trace(xlate <info_t> (&`init_task).id); }"),
            "description 0\n  trace(*(int *)8192)\n");
}

TEST(CheckTranslators, MakeAWholeStructure) {
  EXPECT_EQ(text_of("BEGIN { this->i = *current; }"),
            "this->i: info_t\n"
            "description 0\n"
            "  (this->i = (info_t){+0: *(int *)curthread, +4: *(int *)*(struct "
            "task_struct * *)(curthread + 24)})\n");
}

TEST(CheckTranslators, TranslateProbeArguments) {
  types::TypeTable table;
  const testing::FakeKernel kernel(table);
  // The table of check_text() is made alike, so that its ids are the same.
  const ProbeContext probe{
      .description = "proc:::start",
      .arguments = std::vector<ProbeArgument>{{.native = table.int_type()},
                                              {.native = table.pointer_to(kernel.task),
                                               .translated = "info_t *",
                                               .native_index = 3}}};
  const auto checked = check_text(
      std::string(prologue) + "proc:::start { trace(args[0]); trace(args[1]->id); }",
      probe);
  EXPECT_EQ(checked.diagnostics + checked.text,
            "description 0\n  trace(args[0])\n  trace(*(int *)args[3])\n");
}

}  // namespace
}  // namespace kinst::d
