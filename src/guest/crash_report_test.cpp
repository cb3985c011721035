#include "guest/crash_report.h"

#include <gtest/gtest.h>

namespace kinst::guest {
namespace {

TEST(CrashReport, BeginWhereTheKernelReportsItsFault) {
  EXPECT_EQ(
      crash_report("booting\r\n[ 4.8] BUG: kernel NULL pointer\r\n[ 4.9] RIP: f\r\n"
                   "[ 5.0] Kernel panic - not syncing\r\n",
                   ""),
      "the guest's kernel failed; its console:\n"
      "[ 4.8] BUG: kernel NULL pointer\n"
      "[ 4.9] RIP: f\n"
      "[ 5.0] Kernel panic - not syncing");
}

TEST(CrashReport, AreTheEndOfTheConsoleWithoutAFault) {
  std::string console;
  for (int line = 1; line <= 100; ++line) {
    console += std::to_string(line) + "\n";
  }
  const std::string words = crash_report(console, "");
  EXPECT_TRUE(words.starts_with(
      "the guest ended before the command did; its console:\n61\n62\n"));
  EXPECT_TRUE(words.ends_with("\n99\n100"));
}

TEST(CrashReport, AreQemusWhenTheKernelSaidNothing) {
  EXPECT_EQ(crash_report("", "qemu: no memory\n"), "QEMU ended: qemu: no memory");
  EXPECT_EQ(crash_report("", ""), "the guest ended without a word");
}

}  // namespace
}  // namespace kinst::guest
