#include "bpf/attach/borrowed_setting.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kinst::bpf {
namespace {

// A file in place of the kernel's.
class BorrowedSettingTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "borrowed.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "setting";
    note_ = folder_ / "note";
    std::ofstream(path_) << "0\n";
    setting_ = {path_.c_str(), '0', '1', note_.c_str()};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string value() const {
    std::string text;
    std::getline(std::ifstream(path_), text);
    return text;
  }
  [[nodiscard]] bool has_note() const { return std::filesystem::exists(note_); }

  std::filesystem::path folder_;
  std::filesystem::path path_;
  std::filesystem::path note_;
  MachineSetting setting_{};
};

// Sets a limit of this process for a while.
class Limit {
 public:
  Limit(__rlimit_resource what, rlim_t most) : what_(what) {
    getrlimit(what, &before_);
    const rlimit limit{.rlim_cur = most, .rlim_max = before_.rlim_max};
    setrlimit(what, &limit);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  Limit(Limit&&) = delete;
  Limit& operator=(Limit&&) = delete;
  ~Limit() { setrlimit(what_, &before_); }

 private:
  __rlimit_resource what_;
  rlimit before_{};
};

TEST_F(BorrowedSettingTest, IsChangedUntilItIsGivenBack) {
  {
    const BorrowedSetting borrowed(setting_);
    EXPECT_EQ(value(), "1");
    EXPECT_TRUE(has_note());
  }
  EXPECT_EQ(value(), "0");
  EXPECT_FALSE(has_note());
}

TEST_F(BorrowedSettingTest, ComesBackWithoutAnyFreeDescriptor) {
  BorrowedSetting borrowed(setting_);
  ASSERT_EQ(value(), "1");
  {
    const Limit none(RLIMIT_NOFILE, 0);
    borrowed.give_back();
  }
  EXPECT_EQ(value(), "0");
  EXPECT_FALSE(has_note());
}

TEST_F(BorrowedSettingTest, IsNotChangedWhereNoNoteCanBeMade) {
  const int standard = dup(STDIN_FILENO);
  ASSERT_GE(standard, 0);
  close(standard);
  {
    // One descriptor is left: the setting can be opened, the note cannot.
    const Limit few(RLIMIT_NOFILE, static_cast<rlim_t>(standard) + 1);
    const BorrowedSetting borrowed(setting_);
  }
  EXPECT_EQ(value(), "0");
  EXPECT_FALSE(has_note());
}

TEST_F(BorrowedSettingTest, KeepsTheNoteWhenItCannotBeUndone) {
  std::signal(SIGXFSZ, SIG_IGN);
  {
    BorrowedSetting borrowed(setting_);
    ASSERT_EQ(value(), "1");
    const Limit no_writes(RLIMIT_FSIZE, 0);
    borrowed.give_back();
  }
  EXPECT_EQ(value(), "1");
  EXPECT_TRUE(has_note());
  EXPECT_TRUE(restore_abandoned_setting(setting_));
  EXPECT_EQ(value(), "0");
  EXPECT_FALSE(has_note());
  std::signal(SIGXFSZ, SIG_DFL);
}

TEST_F(BorrowedSettingTest, KeepsTheNoteOfTheDeadWhenItCannotBeRead) {
  { std::ofstream note(note_); }
  std::ofstream(path_) << "1\n";
  const int standard = dup(STDIN_FILENO);
  ASSERT_GE(standard, 0);
  close(standard);
  {
    const Limit few(RLIMIT_NOFILE, static_cast<rlim_t>(standard) + 1);
    EXPECT_FALSE(restore_abandoned_setting(setting_));
  }
  EXPECT_EQ(value(), "1");
  EXPECT_TRUE(has_note());
  EXPECT_TRUE(restore_abandoned_setting(setting_));
  EXPECT_EQ(value(), "0");
}

TEST_F(BorrowedSettingTest, OfAKilledProcessIsRestoredByTheNext) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const BorrowedSetting borrowed(setting_);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(value(), "1");
  EXPECT_TRUE(restore_abandoned_setting(setting_));
  EXPECT_EQ(value(), "0");
  EXPECT_FALSE(has_note());
}

TEST_F(BorrowedSettingTest, IsLeftToWhoHasItBorrowed) {
  const BorrowedSetting borrowed(setting_);
  const BorrowedSetting another(setting_);
  EXPECT_FALSE(restore_abandoned_setting(setting_));
  EXPECT_EQ(value(), "1");
}

TEST_F(BorrowedSettingTest, OfAnotherValueIsLeftAlone) {
  std::ofstream(path_) << "7\n";
  const BorrowedSetting borrowed(setting_);
  EXPECT_EQ(value(), "7");
  EXPECT_FALSE(has_note());
}

}  // namespace
}  // namespace kinst::bpf
