// A breakpoint in a child process that this thread traces by ptrace.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "bpf/attach/attachment.h"

namespace kinst::run {

/// Stops the child at an address: by a hardware breakpoint or, where there are none, by
/// a breakpoint instruction in the child's code. The tracer sees the stop as a signal.
class ChildBreakpoint {
 public:
  /// child: must be stopped. Errors: what the system refused.
  static Result<ChildBreakpoint> set(pid_t child, std::uint64_t address);

  ChildBreakpoint(ChildBreakpoint&& other) noexcept;
  ChildBreakpoint& operator=(ChildBreakpoint&&) = delete;
  ChildBreakpoint(const ChildBreakpoint&) = delete;
  ChildBreakpoint& operator=(const ChildBreakpoint&) = delete;
  /// The child must be stopped or have ended.
  ~ChildBreakpoint();

  /// Whether this breakpoint has stopped the child with `signal`. The child then stands
  /// before the instruction at the address.
  [[nodiscard]] bool has_stopped(int signal) const;
  /// To be called after this breakpoint has stopped the child. If the child would be
  /// stopped again, makes it execute the instruction at the address. Returns a signal
  /// that came meanwhile, which the caller must pass on when it lets the child
  /// continue; 0 if no signal came.
  Result<int> step_over();

 private:
  ChildBreakpoint(pid_t child, std::uint64_t address)
      : child_(child), address_(address) {}

  pid_t child_;
  std::uint64_t address_;
  bpf::OwnedAttachment of_machine_;
  /// The bytes that the breakpoint instruction replaces; empty with a hardware
  /// breakpoint.
  std::vector<std::byte> original_;
};

}  // namespace kinst::run
