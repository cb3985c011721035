// Plans how probes are traced: the ends of kernel functions by the fastest way that
// this kernel has and that provides what the program uses.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compile/function_way.h"
#include "compile/match/system.h"
#include "d/typed/typed_program.h"
#include "provider/tracing.h"

namespace kinst::compile {

struct PlannedTracing {
  provider::TracingPlan tracing;
  /// The probes whose arg0 is not known, and why.
  std::vector<std::string> remarks;
};

/// A checked program and its probes.
struct ProbedProgram {
  const d::typed::Program& program;
  const std::vector<provider::Probe>& probes;
  /// The probes of each of its descriptions, as indexes of `probes`.
  std::span<const std::vector<std::size_t>> of_description;
};

/// Plans how the program's probes are traced. Those in user code are attached at
/// once if this kernel can do so. For all ends of kernel functions one way is chosen:
///
///   fentry        for a few functions that BTF knows, if the program uses no
///                 registers and no stack: one BPF program each, and the lowest cost
///                 for each call
///   kprobe.multi  for any number of functions
///   breakpoint    for many functions: at the instruction behind the function tracer's
///                 call, and at the instructions that return, if the function has no
///                 tail calls
///   kprobe        kprobe events, which every kernel with kprobes has
///
/// Only a breakpoint tells which instruction returned. So the returns of clauses that
/// read arg0 are traced by breakpoints, and tail calls count as returns there. All
/// other probes are traced by events.
///
/// Each way is tried to find out whether this kernel has it.
/// wanted: the option fbt. reading: called for each function while the code of many
/// functions is read; may stop the reading.
/// Errors: this kernel lacks the way that is wanted, or that way cannot provide what
/// the program uses.
Result<PlannedTracing> plan_tracing(FunctionWay wanted, const ProbedProgram& probed,
                                    System& system, const ProgressReport& reading);

}  // namespace kinst::compile
