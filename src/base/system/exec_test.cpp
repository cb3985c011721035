#include "base/system/exec.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/system/file_descriptor.h"

namespace kinst {
namespace {

// What comes of executing the program in a child.
std::optional<int> failure_of(const std::string& program) {
  const std::vector<std::string> arguments{program, "an argument"};
  const std::vector<char*> pointers = exec_pointers(arguments);
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execv(program.c_str(), pointers.data());
    report_exec_failure(write_end.get());
  }
  write_end.reset();
  const auto failure = exec_failure(read_end.get());
  ::waitpid(child, nullptr, 0);
  return failure;
}

TEST(Exec, TellsTheParentWhyAProgramCouldNotBeExecuted) {
  EXPECT_EQ(failure_of("/no/such/program"), ENOENT);
  EXPECT_EQ(failure_of("/dev/null"), EACCES);
  EXPECT_EQ(failure_of("/bin/true"), std::nullopt);
}

}  // namespace
}  // namespace kinst
