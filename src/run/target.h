// The target process: the command of -c, which is created before tracing and runs its
// program once tracing has begun; or the process of -p.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "run/evaltime_stop.h"
#include "user/evaltime.h"

namespace kinst::run {

/// A child process that has not executed its program yet, or a process that runs
/// already.
class Target {
 public:
  /// How the command failed.
  struct Failure {
    std::string sentence;
    bool is_by_signal = false;
  };

  /// Creates a process that will run `command`. Words are split at blanks; quotes are
  /// as in dtrace(1).
  /// environment: changes to the command's environment, in order: NAME=VALUE, or NAME
  /// to unset.
  /// Errors: the command is empty; the program does not exist.
  static Result<Target> start(const std::string& command,
                              const std::vector<std::string>& environment = {});

  /// Watches a process that runs already. Errors: there is no such process.
  static Result<Target> watch(pid_t process);

  Target(Target&&) = default;
  Target& operator=(Target&&) = delete;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  /// Kills a child that has not been let go; any other process continues.
  ~Target();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Readable when the process has ended.
  [[nodiscard]] int descriptor() const { return ended_.get(); }
  /// Lets the child execute its program, and stops it at the point of DTrace's option
  /// evaltime, so that the libraries it has loaded can be probed. is_interrupted:
  /// returns true to give up.
  /// Errors: the program cannot be executed.
  Result<Reached> run_to(user::EvaluationTime when,
                         const std::function<bool()>& is_interrupted);
  /// Lets the child run its program. Does nothing if it runs already. Errors: the
  /// program cannot be executed.
  Result<void> let_go();
  /// How the command failed, if it has ended: "pid 17 terminated by SIGSEGV", "pid 17
  /// exited with status 3". Nothing while it runs. Nothing for a process of -p, because
  /// the kernel tells only its parent.
  std::optional<Failure> failure();

 private:
  Target() = default;
  Result<void> open_gate();
  [[nodiscard]] std::optional<int> execution_failure() const;

  pid_t pid_ = -1;
  std::string program_;     ///< the command's program, for messages
  FileDescriptor gate_;     ///< closing it lets the child go
  FileDescriptor failure_;  ///< the child's errno, if exec fails
  FileDescriptor ended_;
  bool is_held_ = false;  ///< stopped by ptrace, since run_to()
  bool is_let_go_ = false;
  bool is_child_ = false;
};

}  // namespace kinst::run
