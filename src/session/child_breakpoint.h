// A breakpoint in a child that this thread holds by ptrace.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "bpf/attachment.h"

namespace kinst::session {

/// Stops the child at an address, by a breakpoint of the machine or, where these do not
/// work, by an instruction in its code. Its tracer gets to see the stop as a signal.
class ChildBreakpoint {
 public:
  /// child: stopped. Errors: what the system refused.
  static Result<ChildBreakpoint> set(pid_t child, std::uint64_t address);

  ChildBreakpoint(ChildBreakpoint&& other) noexcept;
  ChildBreakpoint& operator=(ChildBreakpoint&&) = delete;
  ChildBreakpoint(const ChildBreakpoint&) = delete;
  ChildBreakpoint& operator=(const ChildBreakpoint&) = delete;
  /// The child must be stopped or gone.
  ~ChildBreakpoint();

  /// Whether it is what stopped the child with that signal. The child then stands
  /// before the instruction there.
  [[nodiscard]] bool has_stopped(int signal) const;
  /// Has the child that it stopped execute the instruction there, if that would stop it
  /// again. Gives a signal that came meanwhile, 0 if none did, for whoever lets the
  /// child go on.
  Result<int> step_over();

 private:
  ChildBreakpoint(pid_t child, std::uint64_t address)
      : child_(child), address_(address) {}

  pid_t child_;
  std::uint64_t address_;
  bpf::OwnedAttachment of_machine_;
  /// What stood where the instruction is now; empty without one.
  std::vector<std::byte> original_;
};

}  // namespace kinst::session
