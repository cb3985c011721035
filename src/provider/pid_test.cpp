// The process that is looked at is the test itself, and in it a function whose
// instructions are known: at 0 (5 bytes), 5 (1 byte) and 6 (1 byte).
#include "provider/pid.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <string>
#include <vector>

extern "C" int kinst_pid_test_code();

#if defined(__x86_64__)
asm(".text\n"
    ".globl kinst_pid_test_code\n"
    ".type kinst_pid_test_code, @function\n"
    "kinst_pid_test_code:\n"
    "  movl $1, %eax\n"
    "  nop\n"
    "  ret\n"
    ".size kinst_pid_test_code, . - kinst_pid_test_code\n");

namespace kinst::provider {
namespace {

class Pid : public testing::Test {
 protected:
  Match match(std::string function, std::string name, std::string object = "a.out") {
    d::Description description;
    description.provider = fmt::format("pid{}", getpid());
    description.module = std::move(object);
    description.function = std::move(function);
    description.name = std::move(name);
    auto found = provider_.match(description);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *std::move(found) : Match{};
  }

  static std::vector<std::string> names(const Match& match) {
    std::vector<std::string> names;
    for (const Probe& probe : match.probes) {
      names.push_back(probe.name);
    }
    return names;
  }

  static const UserInstruction& site(const Match& match) {
    return std::get<UserInstruction>(match.probes.front().site);
  }

  user::Processes processes_;
  PidProvider provider_{isa::x86_64(), processes_};
};

TEST_F(Pid, AnEmptyNameMeansEntryReturnAndEveryOtherInstruction) {
  const Match found = match("kinst_pid_test_code", "");
  EXPECT_EQ(names(found), (std::vector<std::string>{"entry", "return", "5", "6"}));
  EXPECT_TRUE(found.skipped.empty());
}

TEST_F(Pid, AProbeIsAtItsAddress) {
  const Match found = match("kinst_pid_test_code", "5");
  ASSERT_EQ(found.probes.size(), 1);
  EXPECT_EQ(site(found).address,
            std::bit_cast<std::uint64_t>(&kinst_pid_test_code) + 5);
  EXPECT_EQ(site(found).kind, UserPlaceKind::Instruction);
}

TEST_F(Pid, RefusesAnOffsetInsideAnInstruction) {
  const Match found = match("kinst_pid_test_code", "3");
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(found.why_none,
            "kinst_pid_test_code+0x3 is inside the instruction at 0; the next one is "
            "at 5");
  EXPECT_EQ(found.tag, "D_PROC_OFF");
}

TEST_F(Pid, RefusesAnOffsetBehindTheFunction) {
  const Match found = match("kinst_pid_test_code", "7");
  EXPECT_EQ(found.why_none,
            "kinst_pid_test_code has 0x7 bytes, so there is nothing "
            "at 7");
}

TEST_F(Pid, RefusesNamesThatAreNoPlace) {
  EXPECT_EQ(match("kinst_pid_test_code", "beginning").tag, "D_PROC_NAME");
  EXPECT_EQ(match("-", "").tag, "D_PROC_NAME");
}

TEST_F(Pid, SaysWhichFunctionsAreNear) {
  const Match found = match("kinst_pid_tset_code", "entry");
  EXPECT_EQ(found.why_none, "did you mean 'kinst_pid_test_code'?");
  EXPECT_EQ(found.tag, "D_PROC_FUNC");
}

TEST_F(Pid, FindsFunctionsOfLibraries) {
  const Match found = match("malloc", "entry", "libc");
  ASSERT_EQ(found.probes.size(), 1);
  EXPECT_EQ(found.probes.front().module, "libc.so.6");
  EXPECT_EQ(found.probes.front().function, "malloc");
}

TEST_F(Pid, RefusesMoreProbesThanAllowed) {
  PidProvider frugal(isa::x86_64(), processes_, 10);
  d::Description description;
  description.provider = fmt::format("pid{}", getpid());
  description.module = "libc";
  EXPECT_EQ(frugal.match(description)->tag, "D_PROC_CREATEFAIL");
}

TEST(PidProvider, IsMeantByItsNameWithAProcessBehindIt) {
  user::Processes processes;
  const PidProvider provider(isa::x86_64(), processes);
  EXPECT_TRUE(provider.is_meant_by("pid123"));
  EXPECT_TRUE(provider.is_meant_by("p*d123"));
  EXPECT_TRUE(provider.is_meant_by("pid"));  // and says what it lacks
  EXPECT_FALSE(provider.is_meant_by("123"));
  EXPECT_FALSE(provider.is_meant_by("profile123"));
  EXPECT_EQ(process_of("pid123"), 123);
}

}  // namespace
}  // namespace kinst::provider
#endif
