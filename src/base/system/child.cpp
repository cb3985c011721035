// fork() and exec(). posix_spawn() cannot give a child other CPUs or limits.
#include "base/system/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/system/exec.h"
#include "base/system/inherited_state.h"
#include "base/system/stop_signals.h"

namespace kinst {
namespace {

// Runs in the child. Executes the program; if that fails, reports it to `failure`.
// Makes only async-signal-safe calls.
[[noreturn]] void become(const char* program, char* const* arguments,
                         const ChildStreams& streams, Orphan orphan,
                         std::span<const int> kept, int failure) {
  if (orphan == Orphan::IsKilled) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
  }
  // dup2() clears O_CLOEXEC. If the descriptor already has the wanted number, dup2()
  // does nothing, and exec() keeps the descriptor open as well.
  ::dup2(streams.input, STDIN_FILENO);
  ::dup2(streams.output, STDOUT_FILENO);
  ::dup2(streams.errors, STDERR_FILENO);
  for (const int number : kept) {
    ::fcntl(number, F_SETFD, 0);
  }
  restore_inherited_state();
  ::execvp(program, arguments);
  report_exec_failure(failure);
}

}  // namespace

Result<Child> Child::start(const std::string& program,
                           const std::vector<std::string>& arguments,
                           const ChildStreams& streams, Orphan orphan,
                           std::span<const int> kept) {
  const std::vector<char*> pointers = exec_pointers(arguments);
  note_inherited_state();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error(fmt::format("run {}", program), errno);
  }
  const FileDescriptor failed(ends[0]);
  FileDescriptor failure(ends[1]);
  const pid_t process = ::fork();
  if (process < 0) {
    return system_error(fmt::format("run {}", program), errno);
  }
  if (process == 0) {
    become(program.c_str(), pointers.data(), streams, orphan, kept, failure.get());
  }
  failure.reset();
  if (const auto cause = exec_failure(failed.get())) {
    ::waitpid(process, nullptr, 0);
    return system_error(fmt::format("run {}", program), *cause);
  }
  Child child(program, process, orphan);
  child.ended_ =
      FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  return child;
}

Child::Child(Child&& other) noexcept
    : program_(std::move(other.program_)),
      process_(std::exchange(other.process_, -1)),
      orphan_(other.orphan_),
      ended_(std::move(other.ended_)) {}

Child::~Child() {
  if (process_ > 0 && orphan_ == Orphan::IsKilled) {
    ::kill(-process_, SIGKILL);
    static_cast<void>(wait());
  }
}

Result<int> Child::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0) {
    if (errno != EINTR) {
      return system_error(fmt::format("wait for {}", program_), errno);
    }
  }
  process_ = -1;
  return status;
}

Result<std::optional<int>> Child::wait_until_stop(std::chrono::milliseconds patience) {
  const FileDescriptor signals = stop_signal_descriptor();
  std::array<pollfd, 2> waits = {
      {{.fd = ended_.get(), .events = POLLIN, .revents = 0},
       {.fd = signals.get(), .events = POLLIN, .revents = 0}}};
  while (::poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return wait_for(patience);
}

Result<std::optional<int>> Child::wait_for(std::chrono::milliseconds patience) {
  pollfd ended{.fd = ended_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, static_cast<int>(patience.count())) != 1) {
    return std::optional<int>{};
  }
  return std::optional(KINST_TRY(wait()));
}

int exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

}  // namespace kinst
