#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>
#include <string>

#include "bpf/attach/attach_uprobes.h"
#include "live/counter.h"
#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here

using UprobeTest = Live;

__attribute__((noinline)) int probed(int value) {
  asm volatile("" : "+r"(value));
  return value;
}

/// Where in this program's file the code at an address is.
std::uint64_t file_offset(std::uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    std::istringstream fields(line);
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    std::string permissions;
    char dash = 0;
    fields >> std::hex >> begin >> dash >> end >> permissions >> offset;
    if (begin <= address && address < end) {
      return address - begin + offset;
    }
  }
  return 0;
}

UprobePlace place_of_probed(std::uint64_t cookie) {
  return {.file_offset = file_offset(reinterpret_cast<std::uint64_t>(&probed)),
          .cookie = cookie};
}

TEST_F(UprobeTest, RunsInTheProcessExactlyAsOftenAsTheCode) {
  const Object object = counter(ProgramType::Kprobe, CountedProcess::Own, true);
  const std::vector<UprobePlace> places = {place_of_probed(3)};
  auto attached = attach_uprobes(
      object.programs.at(0), {.path = "/proc/self/exe", .process = getpid()}, places);
  ASSERT_TRUE(attached) << attached.error().message;
  int sum = 0;
  for (int i = 0; i < 50; ++i) {
    sum += probed(i);
  }
  EXPECT_EQ(sum, 49 * 50 / 2);
  EXPECT_EQ(count(object, 3), 50U);
  attached->attachment.reset();
  probed(1);
  EXPECT_EQ(count(object, 3), 50U);
}

TEST_F(UprobeTest, RunsInAllProcessesWhenNoneIsNamed) {
  const Object object = counter(ProgramType::Kprobe, CountedProcess::All, true);
  const std::vector<UprobePlace> places = {place_of_probed(1)};
  const auto attached =
      attach_uprobes(object.programs.at(0), {.path = "/proc/self/exe"}, places);
  ASSERT_TRUE(attached) << attached.error().message;
  const pid_t child = fork();
  if (child == 0) {
    probed(1);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(count(object, 1), 1U);
}

TEST_F(UprobeTest, SaysWhyNothingCouldBeAttached) {
  const Object object = counter(ProgramType::Kprobe, CountedProcess::Own, true);
  const std::vector<UprobePlace> places = {{.file_offset = 0}};
  const auto attached =
      attach_uprobes(object.programs.at(0), {.path = "/no/such/file"}, places);
  ASSERT_FALSE(attached);
  EXPECT_EQ(attached.error().message,
            "cannot attach program count to /no/such/file: No such file or directory");
}

}  // namespace
}  // namespace kinst::live
