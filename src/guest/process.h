// Other programs that are run on this machine.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::guest {

/// A child in a process group of its own, so that what is typed at the terminal does
/// not reach it; killed and waited for when its owner goes, and killed by the kernel
/// when this process dies.
class Process {
 public:
  /// Starts `arguments` (the program's path first) with /dev/null as standard input and
  /// output, `errors` as standard error, and `inherited` open under the same numbers.
  /// Errors: the program cannot be started.
  static Result<Process> start(const std::vector<std::string>& arguments, int errors,
                               std::span<const int> inherited);

  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() { end(); }

 private:
  explicit Process(pid_t pid) : pid_(pid) {}
  void end();

  pid_t pid_ = -1;
};

/// The program of that name in the directories of PATH.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// What a program writes to its standard output until it ends; its errors are dropped.
/// `arguments`: the program's path first.
Result<std::string> output_of(const std::vector<std::string>& arguments);

}  // namespace kinst::guest
