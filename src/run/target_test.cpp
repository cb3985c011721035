#include "run/target.h"

#include <gtest/gtest.h>

#include <csignal>

namespace kinst::run {
namespace {

TEST(Target, TellsWhyAProgramCannotRun) {
  auto target = Target::start("/nonexistent/program");
  ASSERT_TRUE(target);
  const auto gone = target->let_go();
  ASSERT_FALSE(gone);
  EXPECT_EQ(
      gone.error().message,
      "cannot run /nonexistent/program, the command of -c: No such file or directory");
}

TEST(Target, IsEndedIfItWasNeverLetGo) {
  pid_t pid = 0;
  {
    auto target = Target::start("sleep 100");
    ASSERT_TRUE(target);
    pid = target->pid();
  }
  EXPECT_EQ(kill(pid, 0), -1);
}

}  // namespace
}  // namespace kinst::run
