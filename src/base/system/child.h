// Child processes that run another program: a system() command, cpp, dot, a pager.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// What happens to a child if this process dies, or the Child goes, before the child
/// has been waited for. A child with IsKilled gets a process group of its own, so that
/// what is typed at the terminal does not reach it.
enum class Orphan : bool { LivesOn, IsKilled };

struct ChildStreams {
  int input = 0;
  int output = 1;
  int errors = 2;
};

/// A started program. It gets the state that this process was started with
/// (inherited_state.h). Its open descriptors are its three streams and those that this
/// process inherited; descriptors that this process has opened are closed in the child
/// (O_CLOEXEC) unless they are named.
class Child {
 public:
  /// Starts a program.
  /// program: looked up in PATH. arguments: argv, the program's own name first.
  /// kept: descriptors that the program has open as well, under the same numbers.
  /// Errors: "cannot run PROGRAM: CAUSE".
  static Result<Child> start(const std::string& program,
                             const std::vector<std::string>& arguments,
                             const ChildStreams& streams, Orphan orphan,
                             std::span<const int> kept = {});

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Waits until the program has ended. Returns its wait status.
  Result<int> wait();

  /// As wait(), but returns nothing if the program still runs after `patience`. The
  /// program then continues on its own.
  Result<std::optional<int>> wait_for(std::chrono::milliseconds patience);

  /// As wait(), but returns nothing if the program still runs `patience` after a stop
  /// signal became pending. The program then continues on its own.
  Result<std::optional<int>> wait_until_stop(std::chrono::milliseconds patience);

 private:
  Child(std::string program, pid_t process, Orphan orphan)
      : program_(std::move(program)), process_(process), orphan_(orphan) {}

  std::string program_;
  pid_t process_;  ///< -1 once it has been waited for
  Orphan orphan_;
  FileDescriptor ended_;  ///< readable once the program has ended
};

/// A wait status's exit status; -1 after a signal.
int exit_status(int wait_status);

}  // namespace kinst
