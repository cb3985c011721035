// Other programs that are run for a while: what system() runs, cpp, dot, a pager.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst {

/// What becomes of a child when this process dies without having waited for it. One
/// that is killed has a process group of its own.
enum class Orphan : bool { LivesOn, IsKilled };

struct ChildStreams {
  int input = 0;
  int output = 1;
};

/// A program that was started, in the state that this process was started in
/// (inherited_state.h). It has what this process was given open, its streams and
/// standard error; all that this process opens is closed for it (O_CLOEXEC).
class Child {
 public:
  /// program: looked up in PATH. arguments: what it is to be called first. Errors:
  /// "cannot run PROGRAM: CAUSE".
  static Result<Child> start(const std::string& program,
                             const std::vector<std::string>& arguments,
                             const ChildStreams& streams, Orphan orphan);

  /// Waits until it has ended; its wait status.
  Result<int> wait();

  /// The same, but nothing if it has not ended after so long: it then goes on by
  /// itself.
  Result<std::optional<int>> wait_for(std::chrono::milliseconds patience);

  /// The same, but nothing once a stop signal has waited for this process for as long:
  /// the child then goes on by itself.
  Result<std::optional<int>> wait_until_stop(std::chrono::milliseconds patience);

  /// Kills it with what it has started, and waits until it has ended. For
  /// Orphan::IsKilled.
  void kill();

 private:
  Child(std::string program, pid_t process, FileDescriptor ended)
      : program_(std::move(program)), process_(process), ended_(std::move(ended)) {}

  std::string program_;
  pid_t process_;
  FileDescriptor ended_;  ///< readable when it has
};

/// A wait status's exit status; -1 after a signal.
int exit_status(int wait_status);

}  // namespace kinst
