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

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst::guest {

/// A child in a process group of its own, so that what is typed at the terminal does
/// not reach it; killed and waited for when its owner goes, and killed by the kernel
/// when this process dies.
class HostProcess {
 public:
  /// Starts `arguments` (the program's path first) with /dev/null as standard input and
  /// output, `errors` as standard error, and `inherited` open under the same numbers.
  /// Errors: the program cannot be started.
  static Result<HostProcess> start(const std::vector<std::string>& arguments,
                                   int errors, std::span<const int> inherited);

  HostProcess(HostProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  HostProcess& operator=(HostProcess&& other) noexcept;
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;
  ~HostProcess() { end(); }

 private:
  explicit HostProcess(pid_t pid) : pid_(pid) {}
  void end();

  pid_t pid_ = -1;
};

/// The program of that name in the directories of PATH.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// What a program writes to its standard output until it ends; its errors are dropped.
/// `arguments`: the program's path first.
Result<std::string> output_of(const std::vector<std::string>& arguments);

}  // namespace kinst::guest
