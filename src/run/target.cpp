// fork, then exec behind a gate: the child reads a pipe until the parent closes it.
#include "run/target.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/system/exec.h"
#include "base/system/inherited_state.h"
#include "base/text/words.h"
#include "run/evaltime_stop.h"

namespace kinst::run {
namespace {

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("make a pipe", errno);
  }
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// The child's side; only async-signal-safe calls, as the parent may have threads.
[[noreturn]] void run_behind_gate(int gate, int failure, char* const* arguments,
                                  char* const* environment) {
  char byte = 0;
  while (::read(gate, &byte, 1) < 0 && errno == EINTR) {
  }
  if (byte != 'g') {
    _exit(127);  // the parent gave up
  }
  restore_inherited_state();
  execvpe(arguments[0], arguments, environment);
  report_exec_failure(failure);
}

// "SIGSEGV"; real-time signals have no names.
std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number)
                         : fmt::format("SIG{}", name);
}

bool is_variable(std::string_view entry, std::string_view name) {
  return entry.starts_with(name) && entry.size() > name.size() &&
         entry[name.size()] == '=';
}

// This process's environment after the changes.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  for (const std::string& change : changes) {
    const std::string_view name = std::string_view(change).substr(0, change.find('='));
    std::erase_if(entries,
                  [&](const std::string& entry) { return is_variable(entry, name); });
    if (name.size() < change.size()) {
      entries.push_back(change);
    }
  }
  return entries;
}

tl::unexpected<Error> cannot_run(const std::string& program, int number) {
  return system_error(fmt::format("run {}, the command of -c", program), number);
}

}  // namespace

Result<Target> Target::start(const std::string& command,
                             const std::vector<std::string>& environment) {
  const auto split = split_words(command);
  if (!split) {
    return error("cannot start the command of -c: {}", split.error().message);
  }
  const std::vector<std::string>& words = *split;
  if (words.empty()) {
    return error("cannot start the command of -c: it is empty");
  }
  const std::vector<std::string> variables = changed_environment(environment);
  const std::vector<char*> arguments = exec_pointers(words);
  const std::vector<char*> entries = exec_pointers(variables);

  Pipe gate = KINST_TRY(make_pipe());
  Pipe failure = KINST_TRY(make_pipe());
  Target target;
  target.program_ = words.front();
  target.pid_ = fork();
  if (target.pid_ < 0) {
    return system_error(fmt::format("start {}", words.front()), errno);
  }
  if (target.pid_ == 0) {
    gate.write_end.reset();
    run_behind_gate(gate.read_end.get(), failure.write_end.get(), arguments.data(),
                    entries.data());
  }
  target.gate_ = std::move(gate.write_end);
  target.failure_ = std::move(failure.read_end);
  target.is_child_ = true;
  target.ended_ =
      FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, target.pid_, 0)));
  if (!target.ended_) {
    return system_error(fmt::format("watch process {}", target.pid_), errno);
  }
  return target;
}

Result<Target> Target::watch(pid_t process) {
  Target target;
  target.pid_ = process;
  target.is_let_go_ = true;
  target.ended_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (!target.ended_) {
    return system_error(fmt::format("watch process {}", process), errno);
  }
  return target;
}

Target::~Target() {
  gate_.reset();
  if (pid_ > 0 && ended_ && !is_let_go_) {
    if (is_held_) {
      syscall(SYS_pidfd_send_signal, ended_.get(), SIGKILL, nullptr, 0);
      // One that is held where it exits is past being killed.
      static_cast<void>(release(pid_));
    }
    waitpid(pid_, nullptr, 0);
  }
}

Result<void> Target::open_gate() {
  if (::write(gate_.get(), "g", 1) != 1) {
    return system_error("start the command of -c", errno);
  }
  gate_.reset();
  return {};
}

std::optional<int> Target::execution_failure() const {
  return exec_failure(failure_.get());
}

Result<Reached> Target::run_to(user::EvaluationTime when,
                               const std::function<bool()>& is_interrupted) {
  KINST_CHECK(follow_execution(pid_));
  is_held_ = true;
  KINST_CHECK(open_gate());
  auto reached = run_to_evaluation(pid_, when, is_interrupted);
  if (const auto number = reached ? std::nullopt : execution_failure()) {
    return cannot_run(program_, *number);
  }
  return reached;
}

Result<void> Target::let_go() {
  if (std::exchange(is_let_go_, true)) {
    return {};
  }
  if (is_held_) {
    return release(pid_);
  }
  KINST_CHECK(open_gate());
  if (const auto number = execution_failure()) {
    return cannot_run(program_, *number);
  }
  return {};
}

std::optional<Target::Failure> Target::failure() {
  int status = 0;
  if (!is_child_ || waitpid(pid_, &status, WNOHANG) != pid_) {
    return std::nullopt;
  }
  is_child_ = false;  // whoever has its number now is another
  if (WIFSIGNALED(status)) {
    return Failure{.sentence = fmt::format("pid {} terminated by {}", pid_,
                                           signal_name(WTERMSIG(status))),
                   .is_by_signal = true};
  }
  if (WEXITSTATUS(status) != 0) {
    return Failure{.sentence = fmt::format("pid {} exited with status {}", pid_,
                                           WEXITSTATUS(status))};
  }
  return std::nullopt;
}

}  // namespace kinst::run
