// The process that is looked at is the test itself, and in it a function whose
// instructions are known: at 0 (5 bytes), 5 (1 byte) and 6 (1 byte).
#include "provider/user/pid.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <string>
#include <utility>
#include <variant>
#include <vector>

extern "C" int kinst_pid_test_code();
extern "C" int kinst_left_chosen();
extern "C" int kinst_left_implementation();

#if defined(__x86_64__)
asm(".text\n"
    ".globl kinst_pid_test_code\n"
    ".type kinst_pid_test_code, @function\n"
    "kinst_pid_test_code:\n"
    "  movl $1, %eax\n"
    "  nop\n"
    "  ret\n"
    ".size kinst_pid_test_code, . - kinst_pid_test_code\n");

#define KINST_FUNCTION(name, code) \
  asm(".text\n"                    \
      ".type " name ", @function\n" name ":\n" code ".size " name ", . - " name "\n")

// Functions that are left in several ways, with the offset of what leaves them.
KINST_FUNCTION("kinst_left_two_returns",
               "test %edi, %edi\n"  // 0
               "je 1f\n"            // 2
               "ret\n"              // 4
               "1: rep ret\n");     // 5
KINST_FUNCTION("kinst_left_tail_call",
               "nop\n"
               "jmp kinst_pid_test_code\n");  // 1
KINST_FUNCTION("kinst_left_split",
               "test %edi, %edi\n"
               "jne kinst_left_split.cold\n"
               "ret\n");  // 4
KINST_FUNCTION("kinst_left_split.cold",
               "nop\n"
               "ret\n");
KINST_FUNCTION("kinst_left_conditional",
               "test %edi, %edi\n"
               "je kinst_pid_test_code\n"  // 2
               "ret\n");
KINST_FUNCTION("kinst_left_runs_on", "nop\n");
KINST_FUNCTION("kinst_left_never_returns",
               "1: pause\n"
               "jmp 1b\n");
KINST_FUNCTION("kinst_left_by_table",
               ".cfi_startproc\n"
               "test %edi, %edi\n"
               "je 1f\n"
               "movslq (%rdx,%rdi,4), %rax\n"
               "add %rdx, %rax\n"
               "jmp *%rax\n"
               "1: ret\n"  // 13
               ".cfi_endproc\n");
KINST_FUNCTION("kinst_left_by_pointer",
               ".cfi_startproc\n"
               "mov 8(%rdi), %rax\n"
               "jmp *%rax\n"  // 4
               ".cfi_endproc\n");
KINST_FUNCTION("kinst_left_with_frame",
               ".cfi_startproc\n"
               "push %rbx\n"
               ".cfi_adjust_cfa_offset 8\n"
               "test %edi, %edi\n"
               "je 1f\n"
               "mov 8(%rdi), %rax\n"
               "jmp *%rax\n"  // within the function: its frame is still there
               "1: pop %rbx\n"
               ".cfi_adjust_cfa_offset -8\n"
               "ret\n"  // 12
               ".cfi_endproc\n");
KINST_FUNCTION("kinst_left_implementation",
               ".globl kinst_left_implementation\n"
               "mov $2, %eax\n"
               "ret\n");
KINST_FUNCTION("kinst_left_other_implementation",
               "mov $3, %eax\n"
               "ret\n");
asm(".globl kinst_left_chosen\n"
    ".type kinst_left_chosen, @gnu_indirect_function\n"
    "kinst_left_chosen:\n"
    "  lea kinst_left_other_implementation(%rip), %rax\n"
    "  lea kinst_left_implementation(%rip), %rax\n"
    "  ret\n"
    ".size kinst_left_chosen, . - kinst_left_chosen\n");

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

// Where a function is left, as offset and whether its result is known there.
using Exits = std::vector<std::pair<std::int32_t, bool>>;

TEST_F(Pid, AReturnIsAtAllInstructionsThatLeaveTheFunction) {
  const auto exits_of = [&](const std::string& function) {
    const Match found = match(function, "return");
    Exits exits;
    EXPECT_EQ(found.probes.size(), 1) << function << ": " << found.why_none;
    if (!found.probes.empty()) {
      EXPECT_EQ(site(found).kind, UserPlaceKind::Return);
      for (const UserExit& one : site(found).exits) {
        exits.emplace_back(one.offset, one.has_result);
      }
    }
    return exits;
  };
  EXPECT_EQ(exits_of("kinst_left_two_returns"), (Exits{{4, true}, {5, true}}));
  EXPECT_EQ(exits_of("kinst_left_tail_call"), (Exits{{1, false}}));
  EXPECT_EQ(exits_of("kinst_left_by_table"), (Exits{{13, true}}));
  EXPECT_EQ(exits_of("kinst_left_by_pointer"), (Exits{{4, false}}));
  EXPECT_EQ(exits_of("kinst_left_with_frame"), (Exits{{12, true}}));
  // The part that was split off is the function's, wherever it stands.
  const Exits split = exits_of("kinst_left_split");
  ASSERT_EQ(split.size(), 2);
  EXPECT_TRUE(split[1].second);
  const Match part = match("kinst_left_split.cold", "1");
  ASSERT_EQ(part.probes.size(), 1);
  const Match whole = match("kinst_left_split", "entry");
  ASSERT_EQ(whole.probes.size(), 1);
  EXPECT_EQ(site(whole).address + static_cast<std::uint64_t>(split[1].first),
            site(part).address);
}

TEST_F(Pid, SaysWhyAReturnCannotBeTraced) {
  EXPECT_EQ(match("kinst_left_conditional", "return").why_none,
            "it leaves by a conditional jump, at kinst_left_conditional+0x2");
  EXPECT_EQ(match("kinst_left_runs_on", "return").why_none,
            "it does not return but runs into the code behind it");
  EXPECT_EQ(match("kinst_left_never_returns", "return").why_none, "it never returns");
}

TEST_F(Pid, FindsWhatWasChosenOfAnIndirectFunction) {
  ASSERT_EQ(kinst_left_chosen(), 2);
  const Match found = match("kinst_left_chosen", "entry");
  ASSERT_EQ(found.probes.size(), 1) << found.why_none;
  EXPECT_EQ(found.probes.front().function, "kinst_left_chosen");
  EXPECT_EQ(site(found).address,
            std::bit_cast<std::uint64_t>(&kinst_left_implementation));
  EXPECT_EQ(match("kinst_left_chosen", "return").probes.size(), 1);
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

TEST_F(Pid, AwaitsOneProbeForEachKindOfPlaceThatTheNameCovers) {
  const PidProvider provider(isa::x86_64(), processes_);
  const auto kinds = [&](const std::string& process, const std::string& name) {
    d::Description description;
    description.provider = process;
    description.module = "libfoo*";
    description.function = "f";
    description.name = name;
    std::vector<UserPlaceKind> found;
    for (const Probe& probe : provider.awaited(description)) {
      EXPECT_TRUE(is_awaited(probe));
      found.push_back(std::get<UserInstruction>(probe.site).kind);
    }
    return found;
  };
  using Kinds = std::vector<UserPlaceKind>;
  const std::string own = fmt::format("pid{}", getpid());
  EXPECT_EQ(kinds(own, "entry"), Kinds{UserPlaceKind::Entry});
  EXPECT_EQ(kinds(own, "return"), Kinds{UserPlaceKind::Return});
  EXPECT_EQ(kinds(own, "1f"), Kinds{UserPlaceKind::Instruction});
  EXPECT_EQ(kinds(own, ""), (Kinds{UserPlaceKind::Entry, UserPlaceKind::Return,
                                   UserPlaceKind::Instruction}));
  EXPECT_EQ(kinds(own, "exit"), Kinds());
  EXPECT_EQ(kinds("pid99999999", "entry"), Kinds());
}

TEST_F(Pid, LeavesOutTheObjectsThatItIsToldOf) {
  PidProvider provider(isa::x86_64(), processes_);
  d::Description description;
  description.provider = fmt::format("pid{}", getpid());
  description.module = "a.out";
  description.function = "kinst_pid_test_code";
  description.name = "entry";
  EXPECT_EQ(provider.match(description)->probes.size(), 1);
  const user::Process& process = *processes_.find(getpid());
  provider.leave_out({user::key_of(*process.program())});
  EXPECT_EQ(provider.match(description)->probes.size(), 0);
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
