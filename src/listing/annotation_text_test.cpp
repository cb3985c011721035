#include "listing/annotation_text.h"

#include <gtest/gtest.h>

#include "listing/code_for_tests.h"

namespace kinst::listing {
namespace {

class AnnotatedText : public testing::Test {
 protected:
  Annotation annotated() const {
    const CountedPart part = part_for_tests(work, symbols);
    return annotate(std::span(&part, 1), counts, symbols, find_source, run);
  }

  kernel::Symbols symbols = symbols_for_tests();
  kernel::Function work = work_for_tests(symbols);
  Counts counts = counts_for_tests();
  FindSource find_source = [](KernelAddress) { return std::nullopt; };
  RunFacts run;
};

TEST_F(AnnotatedText, ShowsCountsOutcomesTargetsAndSums) {
  EXPECT_EQ(to_text(annotated(), Colour::No),
            "vmlinux:work at 0xffffffff81000100: 16 bytes, 7 instructions\n"
            "counted in all processes\n"
            "\n"
            "          10      0    +0x0  test %edi,%edi\n"
            "          10      2    +0x2  je +0x9                                      "
            " taken "
            "3, not 7\n"
            "           7      4    +0x4  call kfree\n"
            "          25      9    +0x9  dec %edi\n"
            "          25     11    +0xb  jne +0x9                                     "
            " taken "
            "15, not 10\n"
            "          10     13    +0xd  jmp *%rax\n"
            "                                        6 to +0xf\n"
            "                                        4 to kfree\n"
            "           6     15    +0xf  ret\n"
            "\n"
            "entered 10 = left 10 (6 returns, 4 to kfree) + 0 still inside\n"
            "7 of 7 instructions with a probe\n"
            "5 blocks: what comes in goes out in every one\n");
}

TEST_F(AnnotatedText, PutsSourceLinesAboveTheirInstructions) {
  find_source = [](KernelAddress address) {
    return std::optional(SourcePlace{
        .file = "work.c", .line = address < at_offset(9) ? 3U : 5U, .text = "work();"});
  };
  const std::string text = to_text(annotated(), Colour::No);
  EXPECT_EQ(text.substr(text.find("\n\n") + 2, 200).substr(0, 32),
            "              work.c:3  work();\n");
  EXPECT_NE(
      text.find("call kfree\n              work.c:5  work();\n          25      9"),
      std::string::npos);
}

TEST_F(AnnotatedText, DimsWhatNeverRanAndLightsUpWhatRanOften) {
  counts.executed.erase(at_offset(15));
  counts.targets.clear();
  const std::string text = to_text(annotated(), Colour::Yes);
  EXPECT_NE(text.find("\x1b[33m          25      9"), std::string::npos);
  EXPECT_NE(text.find("\x1b[2m           0     15"), std::string::npos);
}

TEST_F(AnnotatedText, ExplainsEveryDifference) {
  counts.executed[at_offset(4)] = 6;
  counts.executed[at_offset(15)] = 5;
  run = {.process = 12, .command = "dd", .missed = 3};
  const Annotation annotation = annotated();
  const std::string stopped =
      "1 came as far as here and did not go on: interrupted when counting ended, or "
      "left by an exception";
  const std::string sum =
      "entered 10 + 1 inside before = left 9 (5 returns, 4 to kfree) + 2 still inside";
  EXPECT_EQ(counted_where(annotation.run),
            "counted in process 12 (dd) and its children");
  EXPECT_EQ(
      sums_of(annotation),
      (std::vector<std::string>{
          sum, "7 of 7 instructions with a probe",
          "5 blocks: what comes in goes out, but for:", "  +0x4 call kfree: " + stopped,
          "  +0x4 call kfree: 1 came back that went there before counting began",
          "  +0xf ret: " + stopped,
          "3 hits not counted: the kernel runs no probe within another"}));
}

}  // namespace
}  // namespace kinst::listing
