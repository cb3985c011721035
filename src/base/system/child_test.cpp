#include "base/system/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

namespace kinst {
namespace {

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// Up to the end of a line.
std::string line_from(const Pipe& pipe) {
  std::string line;
  for (char letter = 0; read(pipe.read_end.get(), &letter, 1) == 1 && letter != '\n';) {
    line += letter;
  }
  return line;
}

TEST(Child, GivesItsStatus) {
  auto child = Child::start("sh", {"sh", "-c", "exit 7"}, {}, Orphan::LivesOn);
  ASSERT_TRUE(child.has_value());
  EXPECT_EQ(exit_status(child->wait().value_or(-1)), 7);
  auto killed = Child::start("sh", {"sh", "-c", "kill -9 $$"}, {}, Orphan::LivesOn);
  EXPECT_EQ(exit_status(killed->wait().value_or(-1)), -1);
}

TEST(Child, ThatCannotRunIsAnError) {
  const auto child = Child::start("/no/such", {"such"}, {}, Orphan::LivesOn);
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().message, "cannot run /no/such: No such file or directory");
}

TEST(Child, HasItsStreamsAndWhatIsKeptForIt) {
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  Pipe other = make_pipe();
  const std::array kept = {other.write_end.get()};
  const std::string script = fmt::format(
      "echo out; echo complaint >&2; echo more > /proc/self/fd/{}", kept.front());
  auto child =
      Child::start("sh", {"sh", "-c", script},
                   {.output = output.write_end.get(), .errors = errors.write_end.get()},
                   Orphan::LivesOn, kept);
  ASSERT_TRUE(child);
  EXPECT_EQ(exit_status(child->wait().value_or(-1)), 0);
  output.write_end.reset();
  errors.write_end.reset();
  other.write_end.reset();
  EXPECT_EQ(line_from(output), "out");
  EXPECT_EQ(line_from(errors), "complaint");
  EXPECT_EQ(line_from(other), "more");
}

TEST(Child, HasNothingOpenThatIsNotKeptForIt) {
  Pipe other = make_pipe();
  auto child = Child::start(
      "sh",
      {"sh", "-c", fmt::format("[ ! -e /proc/self/fd/{} ]", other.write_end.get())}, {},
      Orphan::LivesOn);
  ASSERT_TRUE(child);
  EXPECT_EQ(exit_status(child->wait().value_or(-1)), 0);
}

TEST(Child, IsKilledWhenItsOwnerGoes) {
  Pipe output = make_pipe();
  pid_t process = 0;
  {
    auto child = Child::start("sh", {"sh", "-c", "echo $$; exec sleep 1000"},
                              {.output = output.write_end.get()}, Orphan::IsKilled);
    ASSERT_TRUE(child);
    process = std::atoi(line_from(output).c_str());
    ASSERT_GT(process, 0);
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_EQ(kill(process, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace kinst
