// The functions that ftrace can trace: those with a call of it at their beginning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst::kernel {

/// A line of available_filter_functions; its texts live as long as the list.
struct TraceableFunction {
  std::string_view name;
  std::string_view module;  ///< "vmlinux" or a module's name

  auto operator<=>(const TraceableFunction&) const = default;
};

/// All of them, in the kernel's order, which is roughly that of addresses. A name is
/// there as often as there are functions of it.
class TraceableFunctions {
 public:
  /// Errors: no tracefs, no function tracer in the kernel, no permission.
  static Result<TraceableFunctions> read();
  static TraceableFunctions parse(std::string text);

  [[nodiscard]] const std::vector<TraceableFunction>& all() const { return functions_; }

  TraceableFunctions(TraceableFunctions&&) = default;
  TraceableFunctions& operator=(TraceableFunctions&&) = default;
  TraceableFunctions(const TraceableFunctions&) = delete;
  TraceableFunctions& operator=(const TraceableFunctions&) = delete;
  ~TraceableFunctions() = default;

 private:
  TraceableFunctions() = default;

  std::vector<char> text_;  ///< not a string: a short one would move with it
  std::vector<TraceableFunction> functions_;
};

}  // namespace kinst::kernel
