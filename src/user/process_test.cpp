// The process that is looked at is the test itself.
#include "user/process.h"

#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>

extern "C" int kinst_process_test_function() {
  return 1;
}

namespace kinst::user {
namespace {

TEST(Process, NamesAFunctionOfTheProgram) {
  auto process = Process::open(getpid());
  ASSERT_TRUE(process) << process.error().message;
  const auto address = std::bit_cast<std::uint64_t>(&kinst_process_test_function);
  const auto place = process->place(address + 1);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->object, process->program()->name);
  EXPECT_EQ(place->symbol, "kinst_process_test_function");
  EXPECT_EQ(place->offset, 1);
}

TEST(Process, NamesAFunctionOfALibraryAndOfTheVirtualObject) {
  auto process = Process::open(getpid());
  ASSERT_TRUE(process);
  // Not a function that the address sanitizer puts its own before.
  const auto libc = process->place(std::bit_cast<std::uint64_t>(&std::mblen));
  ASSERT_TRUE(libc);
  EXPECT_EQ(libc->object, "libc.so.6");
  EXPECT_EQ(libc->symbol, "mblen");
  const std::uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
  ASSERT_NE(vdso, 0);
  EXPECT_EQ(process->place(vdso)->object, "[vdso]");
}

TEST(Process, FindsObjectsByTheNamesThatDTraceTakes) {
  auto process = Process::open(getpid());
  ASSERT_TRUE(process);
  for (const char* pattern :
       {"libc", "libc.so", "libc.so.6", "libc.*", "*/libc.so.6"}) {
    const auto found = process->find(pattern);
    ASSERT_EQ(found.size(), 1) << pattern;
    EXPECT_EQ(found.front()->name, "libc.so.6");
  }
  EXPECT_EQ(process->find("a.out").size(), 1);
  EXPECT_TRUE(process->find("lib").empty());
}

TEST(Process, SaysThatThereIsNone) {
  const auto process = Process::open(0x3fffffff);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().message, "there is no process 1073741823");
}

}  // namespace
}  // namespace kinst::user
