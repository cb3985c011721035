// ptrace(2) holds the child where it executes its program. From there to main() it
// runs until a breakpoint stops it.
#include "run/evaltime_stop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "run/child_breakpoint.h"
#include "user/process.h"

namespace kinst::run {
namespace {

Result<void> resume(pid_t child, int signal) {
  if (ptrace(PTRACE_CONT, child, nullptr, signal) != 0) {
    return system_error(fmt::format("let process {} go on", child), errno);
  }
  return {};
}

// The child's next stop, as waitpid(2) gives it. Waits in short naps, so that the user
// can give up on a program that never gets there.
Result<int> wait_for_stop(pid_t child, const std::function<bool()>& is_interrupted) {
  constexpr auto nap = std::chrono::microseconds(200);
  int status = 0;
  while (true) {
    const pid_t got = waitpid(child, &status, WNOHANG | __WALL);
    if (got < 0 && errno != EINTR) {
      return system_error(fmt::format("wait for process {}", child), errno);
    }
    if (got == child) {
      break;
    }
    if (is_interrupted()) {
      return error(
          "interrupted before the command of -c had come to where its program is "
          "looked at (-x evaltime)");
    }
    std::this_thread::sleep_for(nap);
  }
  if (!WIFSTOPPED(status)) {
    return error("the command of -c ended before its program began");
  }
  return status;
}

bool is_event(int status, int event) {
  return status >> 8 == (SIGTRAP | (event << 8));
}

// The signal that a stop holds back; 0 if it is of another kind.
int signal_of(int status) {
  return status >> 16 == 0 ? WSTOPSIG(status) : 0;
}

Result<void> run_to_execution(pid_t child,
                              const std::function<bool()>& is_interrupted) {
  while (true) {
    const int status = KINST_TRY(wait_for_stop(child, is_interrupted));
    if (is_event(status, PTRACE_EVENT_EXEC)) {
      return {};
    }
    KINST_CHECK(resume(child, signal_of(status)));
  }
}

bool is_reached(pid_t child, const user::StopPlace& place) {
  if (!place.zero_when_reached) {
    return true;
  }
  int value = 0;
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", child).c_str(), O_RDONLY | O_CLOEXEC));
  return pread(memory.get(), &value, sizeof value,
               static_cast<off_t>(*place.zero_when_reached)) != sizeof value ||
         value == 0;
}

Result<Reached> run_to_place(pid_t child, const user::StopPlace& place,
                             const std::function<bool()>& is_interrupted) {
  ChildBreakpoint breakpoint = KINST_TRY(ChildBreakpoint::set(child, place.address));
  int signal = 0;
  while (true) {
    KINST_CHECK(resume(child, signal));
    const int status = KINST_TRY(wait_for_stop(child, is_interrupted));
    if (is_event(status, PTRACE_EVENT_EXIT)) {
      return Reached::Exit;
    }
    signal = signal_of(status);
    if (breakpoint.has_stopped(signal)) {
      if (is_reached(child, place)) {
        return Reached::Place;
      }
      signal = KINST_TRY(breakpoint.step_over());
    }
  }
}

}  // namespace

Result<void> follow_execution(pid_t child) {
  constexpr int options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, child, nullptr, options) != 0) {
    return system_error(fmt::format("hold process {}", child), errno);
  }
  return {};
}

Result<Reached> run_to_evaluation(pid_t child, user::EvaluationTime when,
                                  const std::function<bool()>& is_interrupted) {
  KINST_CHECK(run_to_execution(child, is_interrupted));
  if (when == user::EvaluationTime::Exec) {
    return Reached::Place;
  }
  user::Process process = KINST_TRY(user::Process::open(child));
  const user::StopPlace place = KINST_TRY(user::stop_place(process, when));
  return run_to_place(child, place, is_interrupted);
}

Result<void> release(pid_t child) {
  if (ptrace(PTRACE_DETACH, child, nullptr, nullptr) != 0) {
    return system_error(fmt::format("let process {} go", child), errno);
  }
  return {};
}

}  // namespace kinst::run
