// The command of -c: started before tracing, let go when it has begun.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "session/evaluation_stop.h"
#include "user/stop_place.h"

namespace kinst::session {

/// A child process that has not begun its program yet, or a running one.
class Target {
 public:
  /// How it ended other than with status 0.
  struct Failure {
    std::string sentence;
    bool is_by_signal = false;
  };

  /// Makes a process that will run `command`, words split at blanks, quotes as in
  /// dtrace(1).
  /// environment: changes to its variables, in order, NAME=VALUE or NAME to unset.
  /// Errors: nothing to run, the program does not exist.
  static Result<Target> start(const std::string& command,
                              const std::vector<std::string>& environment = {});

  /// A process that runs already. Errors: there is none of that number.
  static Result<Target> watch(pid_t process);

  Target(Target&&) = default;
  Target& operator=(Target&&) = delete;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  /// A child that was never let go is ended; one that runs is left alone.
  ~Target();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Readable when the process has ended.
  [[nodiscard]] int descriptor() const { return ended_.get(); }
  /// Lets it execute its program and stops it there when DTrace's evaltime comes, so
  /// that what it has loaded can be probed. is_interrupted: true gives up.
  /// Errors: the program cannot be executed.
  Result<Reached> run_to(user::EvaluationTime when,
                         const std::function<bool()>& is_interrupted);
  /// Lets a child run its program; nothing if it runs already. Errors: the program
  /// cannot be executed.
  Result<void> let_go();
  /// How a command that has ended did so, if it failed: "pid 17 terminated by SIGSEGV",
  /// "pid 17 exited with status 3". Nothing of one that runs, and of a process that is
  /// no command's, which only its parent is told of.
  std::optional<Failure> failure();

 private:
  Target() = default;
  Result<void> open_gate();
  [[nodiscard]] std::optional<int> execution_failure() const;

  pid_t pid_ = -1;
  std::string program_;     ///< of a command, for messages
  FileDescriptor gate_;     ///< closing it lets the child go
  FileDescriptor failure_;  ///< the child's errno, if exec fails
  FileDescriptor ended_;
  bool is_held_ = false;  ///< by ptrace, at the place of run_to
  bool is_let_go_ = false;
  bool is_child_ = false;
};

}  // namespace kinst::session
