// How probes are traced. A site says only what is traced: the end of a kernel function,
// for one, can be traced in several ways, of which each kernel has some.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "base/address.h"
#include "provider/probe.h"

namespace kinst::provider {

/// By an event of the kernel for each place of the probe: kprobe and uprobe events,
/// perf events, tracepoints. kinst's own probes, which it runs itself, have none.
struct ByEvents {
  bool operator==(const ByEvents&) const = default;
};

/// By one attachment for all places of a program: kprobe.multi for the ends of kernel
/// functions, uprobe_multi for user code.
struct AtOnce {
  bool operator==(const AtOnce&) const = default;
};

/// By a program for this end of a kernel function alone: fentry or fexit.
struct ByFentry {
  std::uint32_t function_id = 0;  ///< the function's number in the kernel's BTF

  bool operator==(const ByFentry&) const = default;
};

/// An instruction at which an end of a kernel function is traced.
struct FunctionBreakpoint {
  KernelAddress address{};
  /// Whether the function's result is known at this instruction. It is not at a tail
  /// call.
  bool has_result = true;

  bool operator==(const FunctionBreakpoint&) const = default;
};

/// By kprobe events at instructions of the kernel function whose end this is.
struct ByBreakpoints {
  std::vector<FunctionBreakpoint> breakpoints;  ///< at least one

  bool operator==(const ByBreakpoints&) const = default;
};

using TracingMethod = std::variant<ByEvents, AtOnce, ByFentry, ByBreakpoints>;

/// How each probe of a run is traced, by the probe's index.
using TracingPlan = std::vector<TracingMethod>;

/// Probes, and how each of them is traced: two spans of one length.
struct TracedProbes {
  std::span<const Probe> probes;
  std::span<const TracingMethod> tracing;
};

/// BPF's attach type that a program must be loaded for to trace the probe in this way;
/// 0 if it needs none.
std::uint32_t attach_type_of(const Site& site, const TracingMethod& tracing);

/// Whether the function's result is known at each place of a probe at its return. It is
/// not where the function jumps to another.
bool has_results(const Site& site, const TracingMethod& tracing);

}  // namespace kinst::provider
