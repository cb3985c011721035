// The functions that ftrace can trace: those that begin with a call of ftrace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst::kernel {

/// A line of available_filter_functions or, since 6.5, …_addrs; its texts live as long
/// as the list.
struct TraceableFunction {
  std::string_view name;
  std::string_view module;  ///< "vmlinux" or a module's name

  std::uint64_t site = 0;  ///< address of its call of ftrace; 0 where it is not known

  auto operator<=>(const TraceableFunction&) const = default;
};

/// Whether addresses are wanted; the kernel needs as long for them as for the names.
enum class Sites : std::uint8_t { Wanted, NotWanted };

/// All of them, in the kernel's order, which is roughly that of addresses. A name is
/// there as often as there are functions of it.
class TraceableFunctions {
 public:
  /// Errors: no tracefs, no function tracer in the kernel, no permission.
  static Result<TraceableFunctions> read(Sites sites);
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
