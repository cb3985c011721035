// The command of -c is held where DTrace's evaltime says.
#include "run/target.h"

#include <sys/ptrace.h>
#include <sys/user.h>

#include <filesystem>

#include "live_bpf.h"
#include "user/process.h"

namespace kinst::run {
namespace {

using user::EvaluationTime;
using TargetLive = live::Live;

bool never() {
  return false;
}

// What is loaded in the process and where it stands.
struct Held {
  bool has_libc = false;
  std::string symbol;
};

Held look_at(pid_t process) {
  auto opened = user::Process::open(process);
  EXPECT_TRUE(opened) << opened.error().message;
  user_regs_struct registers{};
  EXPECT_EQ(ptrace(PTRACE_GETREGS, process, nullptr, &registers), 0);
  const auto place = opened->place(registers.rip);
  return {.has_libc = !opened->find("libc").empty(),
          .symbol = place && place->offset == 0 ? place->symbol : ""};
}

// This test itself is the program: it has a main() with a name, and `--gtest_filter=-*`
// makes it end at once.
std::string command() {
  return std::filesystem::read_symlink("/proc/self/exe").string() +
         " --gtest_filter=-* --gtest_brief=1";
}

TEST_F(TargetLive, IsHeldAtMainBeforeItsFirstInstruction) {
  auto target = Target::start(command());
  ASSERT_TRUE(target) << target.error().message;
  const auto reached = target->run_to(EvaluationTime::Main, never);
  ASSERT_TRUE(reached) << reached.error().message;
  const Held held = look_at(target->pid());
  EXPECT_TRUE(held.has_libc);
  EXPECT_EQ(held.symbol, "main");
  EXPECT_TRUE(target->let_go());
}

TEST_F(TargetLive, IsHeldWhereLibrariesAreLoadedButNotInitialized) {
  auto target = Target::start(command());
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->run_to(EvaluationTime::Preinit, never));
  const Held held = look_at(target->pid());
  EXPECT_TRUE(held.has_libc);
  EXPECT_EQ(held.symbol, "_dl_debug_state");
}

TEST_F(TargetLive, IsHeldWhereItIsExecuted) {
  auto target = Target::start(command());
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->run_to(EvaluationTime::Exec, never));
  EXPECT_FALSE(look_at(target->pid()).has_libc);
}

TEST_F(TargetLive, SaysWhyItCannotBeExecuted) {
  auto target = Target::start("/nowhere/to/be/found");
  ASSERT_TRUE(target);
  const auto reached = target->run_to(EvaluationTime::Main, never);
  ASSERT_FALSE(reached);
  EXPECT_EQ(
      reached.error().message,
      "cannot run /nowhere/to/be/found, the command of -c: No such file or directory");
}

}  // namespace
}  // namespace kinst::run
