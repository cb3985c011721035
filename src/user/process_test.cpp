// The process that is looked at is the test itself.
#include "user/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/wait.h>
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

// A child that has what the test has mapped.
class Child {
 public:
  Child() : id_(fork()) {
    if (id_ == 0) {
      while (true) {
        pause();
      }
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  [[nodiscard]] pid_t id() const { return id_; }

 private:
  pid_t id_;
};

const auto test_function = std::bit_cast<std::uint64_t>(&kinst_process_test_function);

// Each process had all symbols and all call frame information of its files: 1.1 MB for
// the smallest.
TEST(Processes, ShareTheirFilesAndKeepLittleOfEach) {
  Processes processes;
  const std::uint64_t library = std::bit_cast<std::uint64_t>(&std::mblen);
  ASSERT_TRUE(processes.place(getpid(), test_function));
  ASSERT_TRUE(processes.place(getpid(), library));
  const std::size_t files = processes.files().count();
  for (int i = 0; i < 20; ++i) {
    const Child child;
    EXPECT_EQ(processes.place(child.id(), test_function)->symbol,
              "kinst_process_test_function");
    EXPECT_EQ(processes.place(child.id(), library)->symbol, "mblen");
    EXPECT_LT(processes.find(child.id())->memory_bytes(), 50000);
  }
  EXPECT_EQ(processes.count(), 21);
  EXPECT_EQ(processes.files().count(), files);
}

TEST(Processes, ForgetThoseNotAskedAboutForTheLongest) {
  Processes processes({.processes = 4, .bytes = std::size_t{1} << 20U});
  for (int i = 0; i < 20; ++i) {
    const Child child;
    ASSERT_TRUE(processes.place(child.id(), test_function));
    ASSERT_TRUE(processes.place(getpid(), test_function));
    EXPECT_LE(processes.count(), 4);
  }
  Processes small({.processes = 1000, .bytes = 1});
  for (int i = 0; i < 3; ++i) {
    const Child child;
    ASSERT_TRUE(small.place(child.id(), test_function));
    EXPECT_EQ(small.count(), 1);
  }
}

TEST(Processes, NameWhatWasReadOfAProcessThatHasEnded) {
  Processes processes;
  pid_t ended = 0;
  {
    const Child child;
    ended = child.id();
    ASSERT_TRUE(processes.place(ended, test_function));
  }
  EXPECT_EQ(processes.place(ended, test_function)->symbol,
            "kinst_process_test_function");
}

TEST(Process, HasTheCallFramesOfItsFiles) {
  auto process = Process::open(getpid());
  ASSERT_TRUE(process);
  const CallFrameSection section = process->call_frames(*process->program());
  const auto rows = read_call_frames(section, {.stack_pointer = 7, .frame_pointer = 6});
  EXPECT_GT(rows.size(), 1000);
}

}  // namespace
}  // namespace kinst::user
