#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/system/tracefs.h"
#include "bpf/attach/attach_sampling.h"
#include "bpf/attach/attach_tracepoint.h"
#include "live/counter.h"
#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here
using enum Register;

using AttachTest = Live;

void run_on_cpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

TEST_F(AttachTest, SamplesAtTheGivenPeriodUntilDestroyed) {
  const Object object = counter(ProgramType::PerfEvent, CountedProcess::All, true);
  auto attachment = attach_sampling(object.programs.at(0), std::chrono::milliseconds(2),
                                    SampledCpus{}, 5);
  ASSERT_TRUE(attachment) << attachment.error().message;
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  attachment->reset();
  const std::chrono::duration<double, std::milli> passed =
      std::chrono::steady_clock::now() - begin;
  const std::uint64_t stopped = count(object, 5);
  EXPECT_GT(stopped, 5U);
  EXPECT_LE(static_cast<double>(stopped), passed.count() / 2 + 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(count(object, 5), stopped);
}

TEST_F(AttachTest, RunsAtARawTracepointExactlyAsOftenAsItIsHit) {
  const Object object = counter(ProgramType::RawTracepoint, CountedProcess::Own, false);
  auto attachment = attach_raw_tracepoint(object.programs.at(0), "sys_enter");
  ASSERT_TRUE(attachment) << attachment.error().message;
  const std::uint64_t before = count(object);  // itself some system calls
  for (int i = 0; i < 1000; ++i) {
    syscall(SYS_getppid);
  }
  const std::uint64_t after = count(object);
  const std::uint64_t own = count(object) - after;
  EXPECT_EQ(after - before, 1000 + own);
}

TEST_F(AttachTest, SaysThatATracepointDoesNotExist) {
  const Object object = counter(ProgramType::RawTracepoint, CountedProcess::Own, false);
  EXPECT_EQ(
      attach_raw_tracepoint(object.programs.at(0), "no_such").error().message,
      "cannot attach program count to tracepoint no_such: there is none of that name");
}

TEST_F(AttachTest, RunsAtATracepointOnAllCpusWithItsCookie) {
  const auto text = Tracefs::open().and_then([](const Tracefs& tracefs) {
    return tracefs.read("events/syscalls/sys_enter_getppid/id");
  });
  if (!text) {
    GTEST_SKIP() << "this kernel has no events of system calls: "
                 << text.error().message;
  }
  const std::uint64_t id = std::stoull(*text);
  const Object object = counter(ProgramType::Tracepoint, CountedProcess::Own, true);
  auto attachment = attach_tracepoint(object.programs.at(0), id, "getppid", 3);
  ASSERT_TRUE(attachment) << attachment.error().message;
  for (int cpu = 0; cpu < 2; ++cpu) {
    run_on_cpu(cpu);
    for (int i = 0; i < 100; ++i) {
      syscall(SYS_getppid);
    }
  }
  EXPECT_EQ(count(object, 3), 200U);
}

}  // namespace
}  // namespace kinst::live
