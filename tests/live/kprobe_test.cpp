// Kprobes need a kernel that has them: where this one has none these tests skip, and
// the guest tests run them on kernels that do.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "base/system/tracefs.h"
#include "bpf/attach/attach_kprobe_events.h"
#include "bpf/attach/attach_kprobes.h"
#include "bpf/attach/kprobe_group.h"
#include "live/kernel_symbol.h"
#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here
using enum Register;

/// A program that counts its runs in this process by instruction pointer.
Object counter_by_address() {
  constexpr std::int16_t ip_in_pt_regs = 128;
  ObjectSpecification specification;
  const MapId counts = specification.add_map({.name = "counts",
                                              .type = MapType::Hash,
                                              .key_size = 8,
                                              .value_size = 8,
                                              .max_entries = 64});
  FunctionBuilder builder("main");
  const Label end = builder.label();
  const Label found = builder.label();
  builder.emit(load(Size::Double, R6, R1, ip_in_pt_regs));
  builder.emit(store(Size::Double, R10, -8, R6));
  builder.call(Helper::GetCurrentPidTgid);
  builder.emit(alu(Arithmetic::ShiftRight, R0, 32));
  builder.jump_if(R0, Condition::NotEqual, getpid(), end);
  builder.load_map(R1, counts);
  builder.emit(mov(R2, R10));
  builder.emit(alu(Arithmetic::Add, R2, -8));
  builder.call(Helper::MapLookup);
  builder.jump_if(R0, Condition::NotEqual, 0, found);
  builder.emit(store(Size::Double, R10, -16, 1));
  builder.load_map(R1, counts);
  builder.emit(mov(R2, R10));
  builder.emit(alu(Arithmetic::Add, R2, -8));
  builder.emit(mov(R3, R10));
  builder.emit(alu(Arithmetic::Add, R3, -16));
  builder.emit(mov(R4, 0));
  builder.call(Helper::MapUpdate);
  builder.jump(end);
  builder.bind(found);
  builder.emit(mov(R1, 1));
  builder.emit(atomic(Size::Double, Atomic::Add, R0, 0, R1));
  builder.bind(end);
  builder.emit(mov(R0, 0));
  builder.exit();
  specification.programs.push_back({.name = "count",
                                    .type = ProgramType::Kprobe,
                                    .functions = {std::move(builder).finish()}});
  return loaded(specification);
}

std::vector<std::uint64_t> sorted_counts(const Object& object) {
  const Entries entries = object.maps.at(0).entries().value();
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    counts.push_back(value_at<std::uint64_t>(entries.value(i)));
  }
  std::ranges::sort(counts);
  return counts;
}

bool own_group_exists(pid_t process) {
  const auto tracefs = Tracefs::open();
  const auto groups = tracefs->list("events");
  return std::ranges::any_of(groups, [process](const std::string& name) {
    const auto owner = parse_group_name(name);
    return owner && owner->process == static_cast<std::uint64_t>(process);
  });
}

char expedited() {
  std::ifstream file("/sys/kernel/rcu_expedited");
  return static_cast<char>(file.get());
}

class KprobeTest : public Live {
 protected:
  void SetUp() override {
    Live::SetUp();
    auto events = KprobeEvents::open();
    if (!events) {
      GTEST_SKIP() << events.error().message;
    }
    events_.emplace(*std::move(events));
  }
  /// Runs the program before the instructions at these addresses.
  Result<std::unique_ptr<KprobeAttachment>> attach(
      const Object& object, const std::vector<KernelAddress>& addresses) {
    return events_->attach(object.programs.at(0), addresses, KprobeKind::Instruction);
  }

  std::optional<KprobeEvents> events_;
};

TEST_F(KprobeTest, RunsAtEachAddressExactlyAsOftenAsItIsHit) {
  const Object object = counter_by_address();
  auto attachment = attach(
      object, {address_of("__x64_sys_getppid"), address_of("__x64_sys_getpgrp")});
  ASSERT_TRUE(attachment) << attachment.error().message;
  EXPECT_EQ((*attachment)->refused(), std::vector<RefusedProbe>{});
  for (int i = 0; i < 100; ++i) {
    syscall(SYS_getppid);
  }
  for (int i = 0; i < 70; ++i) {
    syscall(SYS_getpgrp);
  }
  EXPECT_EQ(sorted_counts(object), (std::vector<std::uint64_t>{70, 100}));
  const auto counts = (*attachment)->counts();
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(*counts, (std::vector<ProbeCount>{{100, 0}, {70, 0}}));
  EXPECT_EQ((*attachment)->counted().value(), (ProbeCount{170, 0}));
  attachment->reset();
  syscall(SYS_getppid);
  EXPECT_EQ(sorted_counts(object), (std::vector<std::uint64_t>{70, 100}));
}

TEST_F(KprobeTest, RunsOnAllCpus) {
  const Object object = counter_by_address();
  auto attachment = attach(object, {address_of("__x64_sys_getppid")});
  ASSERT_TRUE(attachment) << attachment.error().message;
  for (int cpu = 0; cpu < 2; ++cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
    syscall(SYS_getppid);
  }
  EXPECT_EQ(sorted_counts(object), std::vector<std::uint64_t>{2});
}

TEST_F(KprobeTest, ListsRefusedProbesAndAttachesTheOthers) {
  const Object object = counter_by_address();
  const KernelAddress function = address_of("__x64_sys_getppid");
  auto attachment =
      attach(object, {function + FunctionOffset{1}, address_of("__x64_sys_getpgrp"),
                      address_of("asm_exc_int3")});
  ASSERT_TRUE(attachment) << attachment.error().message;
  syscall(SYS_getpgrp);
  EXPECT_EQ(sorted_counts(object), std::vector<std::uint64_t>{1});
  EXPECT_EQ((*attachment)->refused(),
            (std::vector<RefusedProbe>{{0, "the address is inside an instruction"},
                                       {2, "the kernel allows no probe there"}}));
}

TEST_F(KprobeTest, SaysWhyNothingCouldBeAttached) {
  const Object object = counter_by_address();
  const auto attachment = attach(object, {address_of("asm_exc_int3")});
  ASSERT_FALSE(attachment);
  EXPECT_EQ(attachment.error().message,
            "cannot attach program count: the kernel allows no probe there");
}

TEST_F(KprobeTest, LeavesNothingWhenItIsInterrupted) {
  const Object object = counter_by_address();
  const std::vector<KernelAddress> addresses = {address_of("__x64_sys_getppid"),
                                                address_of("__x64_sys_getpgrp")};
  const auto attachment =
      events_->attach(object.programs.at(0), addresses, KprobeKind::Instruction,
                      [](std::size_t done, auto) {
                        return done == 1 ? Progress::Stop : Progress::Continue;
                      });
  ASSERT_FALSE(attachment);
  EXPECT_EQ(attachment.error(), interrupted());
  EXPECT_FALSE(own_group_exists(getpid()));
  EXPECT_EQ(expedited(), '0');
}

TEST_F(KprobeTest, LeavesNothingWhereAStartingProcessHasItForAMoment) {
  const Object object = counter_by_address();
  auto attachment = attach(object, {address_of("__x64_sys_getppid")});
  ASSERT_TRUE(attachment) << attachment.error().message;
  const pid_t starting = fork();
  if (starting == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    _exit(0);
  }
  attachment->reset();
  EXPECT_FALSE(own_group_exists(getpid()));
  waitpid(starting, nullptr, 0);
}

TEST_F(KprobeTest, ExpeditesGracePeriodsOnlyWhereItMay) {
  events_.reset();
  const Object object = counter_by_address();
  const std::vector<KernelAddress> addresses = {address_of("__x64_sys_getppid")};
  for (const SettingPolicy policy : {SettingPolicy::Borrow, SettingPolicy::Leave}) {
    auto events = KprobeEvents::open(policy);
    char meanwhile = '?';
    auto attachment = events->attach(object.programs.at(0), addresses,
                                     KprobeKind::Instruction, [&](auto, auto) {
                                       meanwhile = expedited();
                                       return Progress::Continue;
                                     });
    ASSERT_TRUE(attachment) << attachment.error().message;
    EXPECT_EQ(meanwhile, policy == SettingPolicy::Borrow ? '1' : '0');
    EXPECT_EQ(expedited(), '0');
  }
}

char optimization() {
  std::ifstream file("/proc/sys/debug/kprobes-optimization");
  return static_cast<char>(file.get());
}

bool is_any_probe_optimized() {
  std::ifstream list("/sys/kernel/debug/kprobes/list");
  std::stringstream text;
  text << list.rdbuf();
  return text.str().find("[OPTIMIZED]") != std::string::npos;
}

// The kernel optimizes a probe some time after it is there, and takes the jump away
// some time after it is gone.
bool wait_until_optimized(bool is_wanted) {
  for (int i = 0; i < 200 && is_any_probe_optimized() != is_wanted; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return is_any_probe_optimized() == is_wanted;
}

TEST_F(KprobeTest, LeavesProbesUnoptimizedUntilTheRunLasts) {
  ASSERT_TRUE(wait_until_optimized(false));  // by the test before
  ASSERT_EQ(optimization(), '1');
  {
    const auto untouched = Kprobes::open(SettingPolicy::Leave);
    EXPECT_EQ(optimization(), '1');
  }
  {
    auto kprobes = Kprobes::open();
    ASSERT_TRUE(kprobes);
    EXPECT_EQ(optimization(), '0');
    kprobes->let_optimize();
    EXPECT_EQ(optimization(), '1');
  }
  {
    const auto short_one = Kprobes::open();
    EXPECT_EQ(optimization(), '0');
  }
  EXPECT_EQ(optimization(), '1');
}

TEST_F(KprobeTest, LeavesTheOptimizedProbesOfOthersAsTheyAre) {
  const Object object = counter_by_address();
  auto of_another = attach(object, {address_of("vfs_read") + FunctionOffset{9}});
  ASSERT_TRUE(of_another) << of_another.error().message;
  ASSERT_TRUE(wait_until_optimized(true));
  {
    const auto kprobes = Kprobes::open();
    EXPECT_EQ(optimization(), '1');
    EXPECT_TRUE(is_any_probe_optimized());
  }
  of_another->reset();
  EXPECT_TRUE(wait_until_optimized(false));
}

TEST_F(KprobeTest, LeavesNothingWhenItIsKilledInTheMiddle) {
  events_.reset();
  ASSERT_TRUE(wait_until_optimized(false));  // by the test before
  const pid_t victim = fork();
  if (victim == 0) {
    const Object object = counter_by_address();
    auto events = Kprobes::open();
    const std::vector<KernelAddress> first = {address_of("__x64_sys_getppid")};
    const std::vector<KernelAddress> second = {address_of("__x64_sys_getpgrp"),
                                               address_of("__x64_sys_getuid")};
    // Both are held until the process is killed.
    // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores)
    const auto attached =
        events->attach(object.programs.at(0), first, KprobeKind::Instruction);
    // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores)
    const auto never =
        events->attach(object.programs.at(0), second, KprobeKind::Instruction,
                       [](std::size_t done, auto) {
                         // Once something is attached, something is made, and the
                         // setting is changed.
                         if (done == 1 && own_group_exists(getpid()) &&
                             expedited() == '1' && optimization() == '0') {
                           kill(getpid(), SIGKILL);
                         }
                         return Progress::Continue;
                       });
    _exit(1);
  }
  int status = 0;
  waitpid(victim, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  for (int i = 0; i < 100 && (own_group_exists(victim) || expedited() == '1' ||
                              optimization() == '0');
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_FALSE(own_group_exists(victim));
  EXPECT_EQ(expedited(), '0');
  EXPECT_EQ(optimization(), '1');
}

TEST_F(KprobeTest, RemovesWhatDeadPredecessorsLeft) {
  const auto tracefs = Tracefs::open();
  GroupOwner dead = this_process().value();
  dead.start_time += 1;  // the number of this process, but another process
  const auto commands = tracefs->open_commands("kprobe_events");
  const std::string command = "p:" + group_name(dead) + "/left __x64_sys_getppid\n";
  ASSERT_EQ(write(commands->get(), command.data(), command.size()),
            static_cast<ssize_t>(command.size()));
  ASSERT_FALSE(tracefs->list("events/" + group_name(dead)).empty());
  ASSERT_TRUE(KprobeEvents::open());
  EXPECT_TRUE(tracefs->list("events/" + group_name(dead)).empty());
}

}  // namespace
}  // namespace kinst::live
