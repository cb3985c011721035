#include "compile/function_tracing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "bpf/attach/attach_functions.h"
#include "bpf/attach/attach_uprobes.h"
#include "codegen/plan/needs.h"
#include "codegen/plan/walk.h"
#include "provider/kernel/function_arguments.h"
#include "provider/kernel/function_breakpoints.h"

namespace kinst::compile {
namespace {

using provider::KernelFunction;
using provider::TracingPlan;

// Beyond this a program for each costs more to load than it saves.
constexpr std::size_t most_traced = 8;

using Probes = std::vector<provider::Probe>;

// The probes at the ends of kernel functions, as indexes; ascending.
std::vector<std::size_t> functions_of(const Probes& probes) {
  std::vector<std::size_t> functions;
  for (std::size_t index = 0; index < probes.size(); ++index) {
    if (std::holds_alternative<KernelFunction>(probes[index].site)) {
      functions.push_back(index);
    }
  }
  return functions;
}

// The function's number in BTF; 0 if it cannot be traced by a program of its own.
std::uint32_t traceable_id(const provider::Probe& probe, System& system) {
  types::KernelTypes& types = system.kernel_types;
  const auto prototype = types.find_function(probe.function, "vmlinux");
  if (probe.module != "vmlinux" || !prototype || !*prototype) {
    return 0;
  }
  const std::uint32_t id = (*prototype)->function_id;
  const bool is_entry =
      std::get<KernelFunction>(probe.site).edge == provider::Edge::Entry;
  // Its trampoline counts the words of arguments as it meets them.
  if (is_entry && !provider::are_in_order(provider::entry_places(
                      **prototype, system.types, system.code.isa))) {
    return 0;
  }
  return bpf::tracing_available(
             id, is_entry ? bpf::FunctionPlace::Entry : bpf::FunctionPlace::Return)
             ? id
             : 0;
}

// Functions of one name share a place in BTF, so the name must be of one.
bool is_only_one(const std::vector<std::size_t>& functions, const Probes& probes,
                 std::size_t index) {
  return std::ranges::count_if(functions, [&](std::size_t other) {
           return probes[other].function == probes[index].function &&
                  probes[other].name == probes[index].name;
         }) == 1;
}

// How the functions are traced, in their order, if each can have a program of its own.
// All of them or none: one way for all is easier to understand.
std::optional<TracingPlan> by_fentry(const std::vector<std::size_t>& functions,
                                     const Probes& probes, System& system) {
  TracingPlan tracing;
  for (const std::size_t index : functions) {
    const std::uint32_t id =
        is_only_one(functions, probes, index) ? traceable_id(probes[index], system) : 0;
    if (id == 0) {
      return std::nullopt;
    }
    tracing.push_back(provider::ByFentry{.function_id = id});
  }
  return tracing;
}

// Whether the clause reads arg0 or args[0]. At a return, both are the offset of the
// return instruction.
bool reads_offset(const d::typed::Clause& clause) {
  bool found = false;
  codegen::for_each_expression(clause, [&](const d::typed::Expression& expression) {
    const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node);
    found = found || (builtin != nullptr && codegen::argument_number(*builtin) == 0U);
  });
  return found;
}

bool is_return(const provider::Probe& probe) {
  const auto* function = std::get_if<KernelFunction>(&probe.site);
  return function != nullptr && function->edge == provider::Edge::Return;
}

// The return probes of clauses that read arg0, the offset of the return instruction; as
// indexes of the run's probes, ascending.
std::vector<std::size_t> returns_with_offset(const ProbedProgram& probed) {
  std::set<std::size_t> found;
  for (const d::typed::Clause& clause : probed.program.clauses) {
    if (!reads_offset(clause)) {
      continue;
    }
    for (const std::size_t index : probed.of_description[clause.description]) {
      if (is_return(probed.probes[index])) {
        found.insert(index);
      }
    }
  }
  return {found.begin(), found.end()};
}

enum class TailCall : std::uint8_t {
  IsReturn,  ///< without a result
  IsNone,    ///< the function returns when what it called does
};

// Reads the code of the functions that probes are ends of.
class FunctionEnds {
 public:
  FunctionEnds(const Probes& probes, KernelCode& code, const ProgressReport& reading)
      : probes_(&probes),
        reading_(&reading),
        finder_(code.symbols, code.functions, code.isa) {}

  [[nodiscard]] const Probes& probes() const { return *probes_; }

  // The breakpoints of those of the functions whose code allows them, by the probe's
  // index. An entry can have a breakpoint even if the function's returns cannot.
  Result<std::map<std::size_t, provider::ByBreakpoints>> breakpoints(
      const std::vector<std::size_t>& functions, TailCall tail_call) {
    std::map<std::size_t, provider::ByBreakpoints> all;
    for (std::size_t number = 0; number < functions.size(); ++number) {
      KINST_CHECK(tell_progress(*reading_, number, functions.size()));
      const std::size_t index = functions[number];
      const auto& site = std::get<KernelFunction>((*probes_)[index].site);
      const auto* found = KINST_TRY(finder_.find(site.address));
      provider::ByBreakpoints by;
      if (site.edge == provider::Edge::Entry) {
        if (found->entry) {
          by.breakpoints = {{.address = *found->entry}};
        }
      } else if (tail_call == TailCall::IsReturn || found->have_results()) {
        by.breakpoints = found->returns;
      }
      if (!by.breakpoints.empty()) {
        all.emplace(index, std::move(by));
      }
    }
    return all;
  }

  // Why breakpoints() has none for a return.
  Result<std::string> why_no_returns(std::size_t index) {
    const auto& site = std::get<KernelFunction>((*probes_)[index].site);
    return KINST_TRY(finder_.find(site.address))->why_no_returns;
  }

 private:
  const Probes* probes_;
  const ProgressReport* reading_;
  provider::BreakpointFinder finder_;
};

// Plans breakpoints for `returns`. A remark says of each return that can have none why
// its arg0 is -1.
Result<std::vector<std::string>> trace_offsets(const std::vector<std::size_t>& returns,
                                               FunctionEnds& ends,
                                               TracingPlan& tracing) {
  std::vector<std::string> remarks;
  auto breakpoints = KINST_TRY(ends.breakpoints(returns, TailCall::IsReturn));
  for (const std::size_t index : returns) {
    if (const auto found = breakpoints.find(index); found != breakpoints.end()) {
      tracing[index] = std::move(found->second);
      continue;
    }
    const provider::Probe& probe = ends.probes()[index];
    remarks.push_back(fmt::format("arg0 of fbt:{}:{}:return is -1: {}", probe.module,
                                  probe.function,
                                  KINST_TRY(ends.why_no_returns(index))));
  }
  return remarks;
}

// How the functions are traced, in their order: by breakpoints where their code allows
// it, and the others by events.
Result<TracingPlan> by_breakpoints(const std::vector<std::size_t>& functions,
                                   FunctionEnds& ends) {
  auto breakpoints = KINST_TRY(ends.breakpoints(functions, TailCall::IsNone));
  TracingPlan tracing(functions.size());
  for (std::size_t number = 0; number < functions.size(); ++number) {
    if (const auto found = breakpoints.find(functions[number]);
        found != breakpoints.end()) {
      tracing[number] = std::move(found->second);
    }
  }
  return tracing;
}

// How the functions are traced by the way that is wanted, in their order.
Result<TracingPlan> trace_as_wanted(FunctionWay wanted, bool is_with_registers,
                                    const std::vector<std::size_t>& functions,
                                    FunctionEnds& ends, System& system) {
  if (wanted == FunctionWay::Fentry) {
    if (is_with_registers) {
      return error(
          "fentry has no registers and no stack of the function: give "
          "fbt=kprobe.multi, fbt=breakpoint or fbt=kprobe");
    }
    if (auto tracing = by_fentry(functions, ends.probes(), system)) {
      return *std::move(tracing);
    }
    return error("this kernel has no fentry for {}, or no type information of it",
                 functions.size() == 1 ? ends.probes()[functions.front()].function
                                       : "one of the functions");
  }
  if (wanted == FunctionWay::KprobeMulti) {
    if (!bpf::kprobe_multi_available()) {
      return error("this kernel has no kprobe.multi (CONFIG_FPROBE)");
    }
    return TracingPlan(functions.size(), provider::AtOnce{});
  }
  if (wanted == FunctionWay::Breakpoint) {
    return by_breakpoints(functions, ends);
  }
  return TracingPlan(functions.size(), provider::ByEvents{});
}

// How the functions are traced by the fastest way that there is, in their order.
TracingPlan trace_fastest(bool is_with_registers,
                          const std::vector<std::size_t>& functions, FunctionEnds& ends,
                          System& system) {
  const bool is_few = functions.size() <= most_traced;
  if (is_few && !is_with_registers) {
    if (auto tracing = by_fentry(functions, ends.probes(), system)) {
      return *std::move(tracing);
    }
  }
  if (bpf::kprobe_multi_available()) {
    return TracingPlan(functions.size(), provider::AtOnce{});
  }
  const TracingPlan by_events(functions.size());
  // For a few functions, reading their code takes longer than breakpoints save.
  return is_few ? by_events : by_breakpoints(functions, ends).value_or(by_events);
}

bool is_in_user_code(const provider::Probe& probe) {
  return std::holds_alternative<provider::UserInstruction>(probe.site);
}

// Of all probes except the ends of kernel functions, which are left to events.
TracingPlan plan_others(const Probes& probes) {
  TracingPlan tracing(probes.size());
  if (!std::ranges::any_of(probes, is_in_user_code) || !bpf::uprobe_multi_available()) {
    return tracing;
  }
  for (std::size_t index = 0; index < probes.size(); ++index) {
    if (is_in_user_code(probes[index])) {
      tracing[index] = provider::AtOnce{};
    }
  }
  return tracing;
}

}  // namespace

Result<PlannedTracing> plan_tracing(FunctionWay wanted, const ProbedProgram& probed,
                                    System& system, const ProgressReport& reading) {
  const Probes& probes = probed.probes;
  PlannedTracing planned{.tracing = plan_others(probes), .remarks = {}};
  const bool is_free = wanted == FunctionWay::Fastest;
  FunctionEnds ends(probes, system.code, reading);
  const auto returns = returns_with_offset(probed);
  if (!returns.empty()) {
    if (!is_free && wanted != FunctionWay::Breakpoint) {
      return error(
          "only fbt=breakpoint tells where a function returned, which arg0 of its "
          "return is");
    }
    planned.remarks = KINST_TRY(trace_offsets(returns, ends, planned.tracing));
  }
  std::vector<std::size_t> functions = functions_of(probes);
  std::erase_if(functions, [&](std::size_t index) {
    return std::holds_alternative<provider::ByBreakpoints>(planned.tracing[index]);
  });
  if (functions.empty()) {
    return planned;
  }
  // What a program of fentry finds on the stack is the machinery that called it.
  const bool is_with_registers =
      codegen::needs_of(probed.program).has(d::Need::Registers);
  TracingPlan tracing = is_free
                            ? trace_fastest(is_with_registers, functions, ends, system)
                            : KINST_TRY(trace_as_wanted(wanted, is_with_registers,
                                                        functions, ends, system));
  for (std::size_t number = 0; number < functions.size(); ++number) {
    planned.tracing[functions[number]] = std::move(tracing[number]);
  }
  return planned;
}

}  // namespace kinst::compile
