// A setting of this machine is changed for moments: as the command changes it.
#include "bpf/attach/borrowed_setting.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <utility>

namespace kinst::live {
namespace {

using bpf::BorrowedSetting;
using bpf::expedite_grace_periods;
using bpf::restore_abandoned_settings;
using bpf::SettingPolicy;

constexpr const char* setting = "/sys/kernel/rcu_expedited";
constexpr const char* note = "/run/kinst-rcu_expedited";

char expedited() {
  std::ifstream file(setting);
  return static_cast<char>(file.get());
}

bool is_noted() {
  return access(note, F_OK) == 0;
}

class BorrowedSettingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (access(setting, W_OK) != 0 || expedited() != '0') {
      GTEST_SKIP() << setting << " is not 0, or cannot be written";
    }
  }
};

// A process that has borrowed the setting, and waits for its end.
pid_t borrower() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return -1;
  }
  const pid_t process = fork();
  if (process == 0) {
    // Held until the process is killed.
    // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores)
    const BorrowedSetting borrowed = expedite_grace_periods(SettingPolicy::Borrow);
    close(ends[0]);
    close(ends[1]);
    while (true) {
      pause();
    }
  }
  close(ends[1]);
  char none = 0;
  static_cast<void>(read(ends[0], &none, 1));
  close(ends[0]);
  return process;
}

void end(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

TEST_F(BorrowedSettingTest, IsChangedWhileItIsBorrowed) {
  {
    const BorrowedSetting borrowed = expedite_grace_periods(SettingPolicy::Borrow);
    EXPECT_EQ(expedited(), '1');
    EXPECT_TRUE(is_noted());
  }
  EXPECT_EQ(expedited(), '0');
  EXPECT_FALSE(is_noted());
}

TEST_F(BorrowedSettingTest, IsLeftAloneWhereItIsToBe) {
  const BorrowedSetting borrowed = expedite_grace_periods(SettingPolicy::Leave);
  EXPECT_EQ(expedited(), '0');
  EXPECT_FALSE(is_noted());
}

TEST_F(BorrowedSettingTest, ComesBackOnceWhenItIsMoved) {
  BorrowedSetting other;
  {
    BorrowedSetting borrowed = expedite_grace_periods(SettingPolicy::Borrow);
    other = std::move(borrowed);
  }
  EXPECT_EQ(expedited(), '1');
  other.give_back();
  EXPECT_EQ(expedited(), '0');
}

TEST_F(BorrowedSettingTest, BelongsToOneProcessAtATime) {
  const pid_t first = borrower();
  {
    const BorrowedSetting second = expedite_grace_periods(SettingPolicy::Borrow);
    EXPECT_EQ(expedited(), '1');
  }
  EXPECT_FALSE(restore_abandoned_settings());
  EXPECT_EQ(expedited(), '1');
  end(first);
  EXPECT_TRUE(restore_abandoned_settings());
}

TEST_F(BorrowedSettingTest, OfAKilledProcessIsRestoredByTheNext) {
  end(borrower());
  EXPECT_EQ(expedited(), '1');
  EXPECT_TRUE(is_noted());
  EXPECT_TRUE(restore_abandoned_settings());
  EXPECT_EQ(expedited(), '0');
  EXPECT_FALSE(is_noted());
}

}  // namespace
}  // namespace kinst::live
