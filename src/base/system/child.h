// Child processes that run another program: a system() command, cpp, dot, a pager.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// What happens to a child if this process dies before it has waited for the child. A
/// child with IsKilled gets a process group of its own.
enum class Orphan : bool { LivesOn, IsKilled };

struct ChildStreams {
  int input = 0;
  int output = 1;
};

/// A started program. It gets the state that this process was started with
/// (inherited_state.h). Its open descriptors are its two streams, standard error, and
/// those that this process inherited; descriptors that this process has opened are
/// closed in the child (O_CLOEXEC).
class Child {
 public:
  /// Starts a program.
  /// program: looked up in PATH. arguments: argv, the program's own name first.
  /// Errors: "cannot run PROGRAM: CAUSE".
  static Result<Child> start(const std::string& program,
                             const std::vector<std::string>& arguments,
                             const ChildStreams& streams, Orphan orphan);

  /// Waits until the program has ended. Returns its wait status.
  Result<int> wait();

  /// As wait(), but returns nothing if the program still runs after `patience`. The
  /// program then continues on its own.
  Result<std::optional<int>> wait_for(std::chrono::milliseconds patience);

  /// As wait(), but returns nothing if the program still runs `patience` after a stop
  /// signal became pending. The program then continues on its own.
  Result<std::optional<int>> wait_until_stop(std::chrono::milliseconds patience);

  /// Kills the program's process group and waits until the program has ended. Only for
  /// children started with Orphan::IsKilled.
  void kill();

 private:
  Child(std::string program, pid_t process, FileDescriptor ended)
      : program_(std::move(program)), process_(process), ended_(std::move(ended)) {}

  std::string program_;
  pid_t process_;
  FileDescriptor ended_;  ///< readable once the program has ended
};

/// A wait status's exit status; -1 after a signal.
int exit_status(int wait_status);

}  // namespace kinst
