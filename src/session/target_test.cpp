#include "session/target.h"

#include <gtest/gtest.h>

#include <csignal>

namespace kinst::session {
namespace {

TEST(SplitWords, KeepsQuotedBlanksAndEscapes) {
  EXPECT_EQ(split_words(R"(ls  "a b" 'c\d' e\ f "")"),
            (std::vector<std::string>{"ls", "a b", "c\\d", "e f", ""}));
}

TEST(SplitWords, RefusesAQuoteThatDoesNotEnd) {
  for (const char* command : {"sh -c \"exit 3", "echo 'it is", "ls \"a\" 'b"}) {
    EXPECT_FALSE(split_words(command)) << command;
  }
  EXPECT_EQ(split_words("sh -c \"exit 3").error().message,
            "a quote does not end: \"exit 3");
}

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
}  // namespace kinst::session
