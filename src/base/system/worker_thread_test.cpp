#include "base/system/worker_thread.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>

namespace kinst {
namespace {

TEST(WorkerThread, ServesItsDescriptorUntilItsOwnerGoes) {
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  const FileDescriptor reading(ends[0]);
  const FileDescriptor writing(ends[1]);
  std::atomic<int> taken = 0;
  std::atomic<bool> has_ended = false;
  {
    WorkerThread thread;
    ASSERT_TRUE(thread.start("test", [&] {
      char byte = 0;
      while (thread.wait_for(reading.get())) {
        taken += static_cast<int>(::read(reading.get(), &byte, 1));
      }
      has_ended = thread.is_ending() && !thread.pause(std::chrono::milliseconds(1));
    }));
    ASSERT_EQ(::write(writing.get(), "ab", 2), 2);
    while (taken < 2) {
      usleep(1000);
    }
    EXPECT_FALSE(has_ended);
  }
  EXPECT_TRUE(has_ended) << "it is waited for";
}

TEST(WorkerThread, LeavesSignalsToTheOtherThreads) {
  sigset_t mask;
  sigemptyset(&mask);
  {
    WorkerThread thread;
    ASSERT_TRUE(
        thread.start("test", [&] { pthread_sigmask(SIG_SETMASK, nullptr, &mask); }));
  }
  EXPECT_EQ(sigismember(&mask, SIGTERM), 1);
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0) << "this thread's mask is as before";
}

TEST(WorkerThread, ThatNeverStartedNeedsNoEnd) {
  const WorkerThread thread;
  EXPECT_FALSE(thread.is_ending());
}

}  // namespace
}  // namespace kinst
