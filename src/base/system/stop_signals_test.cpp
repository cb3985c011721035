// Each case is a process of its own: that a signal was taken is never forgotten.
#include "base/system/stop_signals.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include "base/system/child.h"
#include "base/system/write_all.h"

namespace kinst {
namespace {

// Whether `claim` holds in a process in which stop signals are blocked.
template <typename Claim>
bool holds(const Claim& claim) {
  const pid_t child = fork();
  if (child == 0) {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    _exit(claim() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(StopSignals, ArePendingUntilTheyAreTaken) {
  EXPECT_TRUE(holds([] { return !is_stop_pending() && !is_ending(); }));
  EXPECT_TRUE(holds([] {
    raise(SIGTERM);
    return is_stop_pending() && is_ending();
  }));
  EXPECT_TRUE(holds([] {
    note_stop();
    return !is_stop_pending() && is_ending();
  }));
}

TEST(WriteAll, GivesUpAReaderThatTakesNothingOnceASignalHasCome) {
  EXPECT_TRUE(holds([] {
    std::array<int, 2> ends{};
    const std::string more_than_a_pipe_takes(1'000'000, 'x');
    raise(SIGINT);
    return pipe(ends.data()) == 0 &&
           write_all(ends[1], more_than_a_pipe_takes, std::chrono::milliseconds(1)) ==
               ETIMEDOUT;
  }));
}

TEST(WriteAll, WaitsForASlowReaderAlsoAfterASignal) {
  EXPECT_TRUE(holds([] {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
      return false;
    }
    const std::string text(300'000, 'x');
    const pid_t reader = fork();
    if (reader == 0) {
      close(ends[1]);
      std::array<char, 50'000> part{};
      std::size_t all = 0;
      for (ssize_t got = 1; got > 0;) {
        got = read(ends[0], part.data(), part.size());
        all += got > 0 ? static_cast<std::size_t>(got) : 0;
        usleep(20'000);
      }
      _exit(all == text.size() ? 0 : 1);
    }
    close(ends[0]);
    raise(SIGINT);
    const int problem = write_all(ends[1], text, std::chrono::seconds(60));
    close(ends[1]);
    int status = -1;
    waitpid(reader, &status, 0);
    return problem == 0 && status == 0;
  }));
}

TEST(Child, IsNotWaitedForAfterASignal) {
  EXPECT_TRUE(holds([] {
    auto child = Child::start("sleep", {"sleep", "1000"}, {}, Orphan::IsKilled);
    raise(SIGTERM);
    const auto status = child->wait_until_stop(std::chrono::milliseconds(1));
    return status.has_value() && !*status;
  }));
}

}  // namespace
}  // namespace kinst
