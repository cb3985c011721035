#include "compile/function_tracing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "bpf/attach/attach_functions.h"
#include "codegen/plan/walk.h"
#include "provider/kernel/function_arguments.h"
#include "provider/kernel/function_breakpoints.h"

namespace kinst::compile {
namespace {

using provider::KernelFunction;

// Beyond this a program for each costs more to load than it saves.
constexpr std::size_t most_traced = 8;

std::vector<std::size_t> functions_of(const Matches& matches) {
  std::vector<std::size_t> functions;
  const std::vector<provider::Probe>& probes = matches.probes.all();
  for (std::size_t index = 0; index < probes.size(); ++index) {
    if (std::holds_alternative<KernelFunction>(probes[index].site)) {
      functions.push_back(index);
    }
  }
  return functions;
}

// Whether it reads registers, or the frames that follow from them: what a program of
// fentry finds on the stack is the machinery that called it.
bool needs_registers(const d::typed::Expression& expression) {
  if (const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node)) {
    return builtin->builtin == d::Builtin::Regs ||
           builtin->builtin == d::Builtin::Caller ||
           builtin->builtin == d::Builtin::StackDepth;
  }
  const auto* symbolic = std::get_if<d::typed::SymbolicValue>(&expression.node);
  return symbolic != nullptr && symbolic->kind == d::SymbolicKind::Stack;
}

bool needs_registers(const d::typed::Program& program) {
  bool found = false;
  for (const d::typed::Clause& clause : program.clauses) {
    codegen::for_each_expression(clause, [&](const d::typed::Expression& expression) {
      found = found || needs_registers(expression);
    });
  }
  return found;
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
  if (is_entry &&
      !provider::are_in_order(provider::entry_places(**prototype, system.types))) {
    return 0;
  }
  return bpf::tracing_available(
             id, is_entry ? bpf::FunctionPlace::Entry : bpf::FunctionPlace::Return)
             ? id
             : 0;
}

// Functions of one name share a place in BTF, so the name must be of one.
bool is_only_one(const std::vector<std::size_t>& functions,
                 const std::vector<provider::Probe>& probes, std::size_t index) {
  return std::ranges::count_if(functions, [&](std::size_t other) {
           return probes[other].function == probes[index].function &&
                  probes[other].name == probes[index].name;
         }) == 1;
}

// All of them or none: one way for all is easier to understand.
bool trace_each(const std::vector<std::size_t>& functions, System& system,
                Matches& matches) {
  const std::vector<provider::Probe>& probes = matches.probes.all();
  std::vector<KernelFunction> sites;
  for (const std::size_t index : functions) {
    KernelFunction site = std::get<KernelFunction>(probes[index].site);
    site.traced_id =
        is_only_one(functions, probes, index) ? traceable_id(probes[index], system) : 0;
    if (site.traced_id == 0) {
      return false;
    }
    sites.push_back(site);
  }
  for (std::size_t number = 0; number < functions.size(); ++number) {
    matches.probes.set_site(functions[number], sites[number]);
  }
  return true;
}

// Whether the clause reads arg0 or args[0]. At a return, both are the offset of the
// return instruction.
bool reads_offset(const d::typed::Clause& clause) {
  bool found = false;
  codegen::for_each_expression(clause, [&](const d::typed::Expression& expression) {
    const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node);
    if (builtin == nullptr) {
      return;
    }
    const auto* index =
        builtin->builtin == d::Builtin::Args && builtin->index != nullptr
            ? std::get_if<d::typed::IntegerValue>(&builtin->index->node)
            : nullptr;
    found = found || builtin->builtin == d::Builtin::Arg0 ||
            (index != nullptr && index->value == 0);
  });
  return found;
}

bool is_return(const provider::Probe& probe) {
  const auto* function = std::get_if<KernelFunction>(&probe.site);
  return function != nullptr && function->edge == provider::Edge::Return;
}

// The return probes of clauses that read arg0, the offset of the return instruction; as
// indexes of the run's probes, ascending.
std::vector<std::size_t> returns_with_offset(const d::typed::Program& program,
                                             const Matches& matches) {
  std::set<std::size_t> found;
  for (const d::typed::Clause& clause : program.clauses) {
    if (!reads_offset(clause)) {
      continue;
    }
    for (const std::size_t index : matches.of_description[clause.description]) {
      if (is_return(matches.probes.all()[index])) {
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

// Traces functions by breakpoints where their code allows it, and returns the other
// functions. An entry can have a breakpoint even if the function's returns cannot.
Result<std::vector<std::size_t>> put_breakpoints(
    const std::vector<std::size_t>& functions, TailCall tail_call,
    provider::BreakpointFinder& finder, const ProgressReport& progress,
    Matches& matches) {
  std::vector<std::size_t> others;
  for (std::size_t number = 0; number < functions.size(); ++number) {
    KINST_CHECK(tell_progress(progress, number, functions.size()));
    const std::size_t index = functions[number];
    KernelFunction site = std::get<KernelFunction>(matches.probes.all()[index].site);
    const auto* found = KINST_TRY(finder.find(site.address));
    if (site.edge == provider::Edge::Entry) {
      if (found->entry) {
        site.breakpoints = {{.address = *found->entry}};
      }
    } else if (tail_call == TailCall::IsReturn || found->have_results()) {
      site.breakpoints = found->returns;
    }
    if (site.breakpoints.empty()) {
      others.push_back(index);
    } else {
      matches.probes.set_site(index, std::move(site));
    }
  }
  return others;
}

// Traces `returns` by breakpoints and removes them from `functions`. A return that has
// no breakpoint stays in `functions`, and a remark says why its arg0 is -1.
Result<std::vector<std::string>> trace_offsets(const std::vector<std::size_t>& returns,
                                               provider::BreakpointFinder& finder,
                                               const ProgressReport& progress,
                                               Matches& matches,
                                               std::vector<std::size_t>& functions) {
  std::vector<std::string> remarks;
  const std::vector<std::size_t> others = KINST_TRY(
      put_breakpoints(returns, TailCall::IsReturn, finder, progress, matches));
  for (const std::size_t index : others) {
    const provider::Probe& probe = matches.probes.all()[index];
    const auto* found =
        KINST_TRY(finder.find(std::get<KernelFunction>(probe.site).address));
    remarks.push_back(fmt::format("arg0 of fbt:{}:{}:return is -1: {}", probe.module,
                                  probe.function, found->why_no_returns));
  }
  std::erase_if(functions, [&](std::size_t index) {
    return std::ranges::binary_search(returns, index) &&
           !std::ranges::binary_search(others, index);
  });
  return remarks;
}

// Chooses the way for all functions whose returns need not know the return instruction.
Result<FunctionWay> choose_for_all(FunctionWay wanted, bool is_with_registers,
                                   const std::vector<std::size_t>& functions,
                                   System& system, Matches& matches) {
  const bool is_free = wanted == FunctionWay::Fastest;
  if (wanted == FunctionWay::Fentry && is_with_registers) {
    return error(
        "fentry has no registers and no stack of the function: give fbt=kprobe.multi, "
        "fbt=breakpoint or fbt=kprobe");
  }
  const bool is_few = functions.size() <= most_traced;
  if (wanted == FunctionWay::Fentry || (is_free && is_few && !is_with_registers)) {
    if (trace_each(functions, system, matches)) {
      return FunctionWay::Fentry;
    }
    if (!is_free) {
      return error("this kernel has no fentry for {}, or no type information of it",
                   functions.size() == 1
                       ? matches.probes.all()[functions.front()].function
                       : "one of the functions");
    }
  }
  if (wanted == FunctionWay::KprobeMulti || is_free) {
    if (bpf::kprobe_multi_available()) {
      return FunctionWay::KprobeMulti;
    }
    if (!is_free) {
      return error("this kernel has no kprobe.multi (CONFIG_FPROBE)");
    }
  }
  // For a few functions, reading their code takes longer than breakpoints save.
  if (is_free) {
    return is_few ? FunctionWay::Kprobe : FunctionWay::Breakpoint;
  }
  return wanted;
}

}  // namespace

Result<std::vector<std::string>> choose_function_way(
    FunctionWay wanted, const d::typed::Program& program, System& system,
    const ProgressReport& reading, Matches& matches, codegen::Platform& platform) {
  std::vector<std::size_t> functions = functions_of(matches);
  if (functions.empty()) {
    return std::vector<std::string>{};
  }
  const bool is_free = wanted == FunctionWay::Fastest;
  provider::BreakpointFinder finder(system.code.symbols, system.code.functions,
                                    system.code.isa);
  std::vector<std::string> remarks;
  const auto returns = returns_with_offset(program, matches);
  if (!returns.empty()) {
    if (!is_free && wanted != FunctionWay::Breakpoint) {
      return error(
          "only fbt=breakpoint tells where a function returned, which arg0 of its "
          "return is");
    }
    remarks = KINST_TRY(trace_offsets(returns, finder, reading, matches, functions));
  }
  if (functions.empty()) {
    return remarks;
  }
  const FunctionWay chosen = KINST_TRY(
      choose_for_all(wanted, needs_registers(program), functions, system, matches));
  if (chosen == FunctionWay::KprobeMulti) {
    platform.function_attach_type = bpf::kprobe_multi_attach_type;
  } else if (chosen == FunctionWay::Breakpoint) {
    const auto others =
        put_breakpoints(functions, TailCall::IsNone, finder, reading, matches);
    if (!others && !is_free) {
      return tl::unexpected(others.error());
    }
  }
  return remarks;
}

}  // namespace kinst::compile
