#include "base/system/survivor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace kinst {
namespace {

// A word that a survivor shares with the test.
class SharedWord {
 public:
  SharedWord()
      : word_(static_cast<int*>(mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  SharedWord(const SharedWord&) = delete;
  SharedWord& operator=(const SharedWord&) = delete;
  SharedWord(SharedWord&&) = delete;
  SharedWord& operator=(SharedWord&&) = delete;
  ~SharedWord() { munmap(word_, sizeof(int)); }

  void set(int value) const { std::atomic_ref(*word_).store(value); }
  [[nodiscard]] int value() const { return std::atomic_ref(*word_).load(); }
  // What the word becomes; 0 if it stays so for a long time.
  [[nodiscard]] int wait() const {
    for (int looks = 0; looks < 3000 && value() == 0; ++looks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return value();
  }

 private:
  int* word_;
};

constexpr int orderly = 1;
constexpr int killed = 2;

int number_of(Ending ending) {
  return ending == Ending::Killed ? killed : orderly;
}

TEST(Survivor, LearnsThatItsProcessWasKilled) {
  const SharedWord seen;
  const pid_t child = fork();
  if (child == 0) {
    const auto survivor = Survivor::start(
        "test", [&seen](Ending ending) { seen.set(number_of(ending)); });
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(seen.wait(), killed);
}

TEST(Survivor, HearsAFarewell) {
  const SharedWord seen;
  {
    const auto survivor = Survivor::start(
        "test", [&seen](Ending ending) { seen.set(number_of(ending)); });
    ASSERT_TRUE(survivor);
    EXPECT_EQ(seen.value(), 0);
  }
  EXPECT_EQ(seen.wait(), orderly);
}

TEST(Survivor, HasEndedOnceItWasDismissed) {
  const SharedWord seen;
  auto survivor =
      Survivor::start("test", [&seen](Ending ending) { seen.set(number_of(ending)); });
  ASSERT_TRUE(survivor);
  survivor->dismiss();
  EXPECT_EQ(seen.value(), orderly);
  EXPECT_FALSE(*survivor);
}

TEST(Survivor, IsNotSeenByThoseWhoWaitForOthers) {
  const pid_t parent = fork();
  if (parent == 0) {
    const auto survivor = Survivor::start("test", [](Ending /*ending*/) {});
    const bool has_child = waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
    _exit(!survivor || has_child ? 1 : 0);
  }
  int status = -1;
  waitpid(parent, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Survivor, KeepsNothingOpen) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  const auto survivor = Survivor::start("test", [](Ending /*ending*/) {});
  ASSERT_TRUE(survivor);
  write_end.reset();
  ssize_t got = -1;
  char byte = 0;
  for (int looks = 0; looks < 3000 && got != 0; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    got = read(read_end.get(), &byte, 1);
  }
  EXPECT_EQ(got, 0);
}

}  // namespace
}  // namespace kinst
