#include "guest/host_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/system/exec.h"
#include "base/system/inherited_state.h"

namespace kinst::guest {
namespace {

struct Streams {
  int output = -1;
  int errors = -1;
};

/// In the child: becomes the program, or reports errno through `failure`. Nothing here
/// may allocate, since another thread may have held the allocator's lock at the fork.
[[noreturn]] void become(char* const* arguments, const Streams& streams,
                         std::span<const int> inherited, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  restore_inherited_state();
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(streams.output >= 0 ? streams.output : ::open("/dev/null", O_WRONLY),
         STDOUT_FILENO);
  ::dup2(streams.errors >= 0 ? streams.errors : ::open("/dev/null", O_WRONLY),
         STDERR_FILENO);
  for (const int number : inherited) {
    ::fcntl(number, F_SETFD, 0);
  }
  ::execv(arguments[0], arguments);
  report_exec_failure(failure);
}

Result<pid_t> spawn(const std::vector<std::string>& arguments, const Streams& streams,
                    std::span<const int> inherited) {
  const std::vector<char*> pointers = exec_pointers(arguments);
  note_inherited_state();

  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("make a pipe", errno);
  }
  FileDescriptor failed(ends[0]);
  FileDescriptor failure(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) {
    return system_error(fmt::format("start {}", arguments.front()), errno);
  }
  if (child == 0) {
    become(pointers.data(), streams, inherited, failure.get());
  }
  failure.reset();
  if (const auto cause = exec_failure(failed.get())) {
    ::waitpid(child, nullptr, 0);
    return system_error(fmt::format("start {}", arguments.front()), *cause);
  }
  return child;
}

}  // namespace

Result<HostProcess> HostProcess::start(const std::vector<std::string>& arguments,
                                       int errors, std::span<const int> inherited) {
  return HostProcess(KINST_TRY(spawn(arguments, {.errors = errors}, inherited)));
}

HostProcess& HostProcess::operator=(HostProcess&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
  }
  return *this;
}

void HostProcess::end() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
}

std::optional<std::filesystem::path> find_program(std::string_view name) {
  // Nothing changes the environment while kinst runs.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/usr/sbin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    std::filesystem::path path = rest.substr(0, colon);
    path /= name;
    if (::access(path.c_str(), X_OK) == 0) {
      return path;
    }
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return std::nullopt;
}

Result<std::string> output_of(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("make a pipe", errno);
  }
  FileDescriptor here(ends[0]);
  FileDescriptor there(ends[1]);
  const pid_t child = KINST_TRY(spawn(arguments, {.output = there.get()}, {}));
  there.reset();
  std::string output;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t length = ::read(here.get(), buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) {
      continue;
    }
    if (length <= 0) {
      break;
    }
    output.append(buffer.data(), static_cast<std::size_t>(length));
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return output;
}

}  // namespace kinst::guest
