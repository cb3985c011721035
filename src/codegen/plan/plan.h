// The plan: which BPF programs are made for a D program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codegen/plan/operand_shape.h"
#include "kernel/debug/debug_information.h"

namespace kinst::codegen {

/// What a program's context is, and thus how registers, arguments and the probe are
/// found.
enum class ContextKind : std::uint8_t {
  Own,                ///< run by kinst itself as a raw tracepoint's test run
  KernelInstruction,  ///< pt_regs of a kernel probe; the probe is its address
  Timer,              ///< bpf_perf_event_data
  SystemCallEntry,    ///< arguments of the raw tracepoint sys_enter
  SystemCallReturn,   ///< arguments of the raw tracepoint sys_exit
  FunctionEntry,      ///< pt_regs at a kernel function's beginning
  FunctionReturn,     ///< pt_regs at the function's caller, after the return
  BreakpointEntry,    ///< pt_regs at one of a function's first instructions
  BreakpointReturn,   ///< pt_regs before the instruction that leaves a function
  ComingEntry,        ///< pt_regs as at FunctionEntry; the probe is a cookie
  ComingReturn,
  ComingInstruction,
  TracedEntry,    ///< arguments of the kernel function that fentry is at
  TracedReturn,   ///< the same and the result, for fexit
  Tracepoint,     ///< a static tracepoint's record
  RawTracepoint,  ///< a static tracepoint's arguments
  UserEntry,      ///< pt_regs of a user program; the probe is a cookie
  UserReturn,
  UserInstruction,
};

/// One BPF program to be made.
struct ProgramGroup {
  ContextKind context{};
  /// Indexes of typed::Program::clauses, in firing order.
  std::vector<std::size_t> clauses;
  /// Indexes of the probes it serves; a single one unless the context tells probes
  /// apart.
  std::vector<std::size_t> probes;
  /// The places of the local variables that its clauses use, by LocalId.
  std::vector<kernel::VariableLocation> locals;
  /// The result type of its functions, if its clauses use arg1 at their returns.
  ResultType result;
  /// Whether the functions' results are known at each place of its probes.
  bool has_results = true;
  /// BPF's attach type that its program is loaded for; 0 if for none.
  std::uint32_t attach_type = 0;
  /// The number in the kernel's BTF of the function that its program is loaded for; 0
  /// if for no single one.
  std::uint32_t function_id = 0;

  bool operator==(const ProgramGroup&) const = default;
};

struct Plan {
  std::vector<ProgramGroup> groups;
  /// The clauses of ERROR, which run inside every program when a clause fails.
  std::vector<std::size_t> error_clauses;

  bool operator==(const Plan&) const = default;
};

}  // namespace kinst::codegen
