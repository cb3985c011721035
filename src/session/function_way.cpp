#include "session/function_way.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "bpf/attach_functions.h"
#include "codegen/walk.h"

namespace kinst::session {
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

bool uses_registers(const d::typed::Program& program) {
  bool found = false;
  for (const d::typed::Clause& clause : program.clauses) {
    codegen::for_each_expression(clause, [&](const d::typed::Expression& expression) {
      const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node);
      found = found || (builtin != nullptr && builtin->builtin == d::Builtin::Regs);
    });
  }
  return found;
}

// The function's number in BTF; 0 if it cannot be traced by a program of its own.
std::uint32_t traceable_id(const provider::Probe& probe, types::KernelTypes& types) {
  const auto prototype = types.find_function(probe.function, "vmlinux");
  if (probe.module != "vmlinux" || !prototype || !*prototype) {
    return 0;
  }
  const std::uint32_t id = (*prototype)->function_id;
  const bool is_entry =
      std::get<KernelFunction>(probe.site).edge == provider::Edge::Entry;
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
bool trace_each(const std::vector<std::size_t>& functions, types::KernelTypes& types,
                Matches& matches) {
  const std::vector<provider::Probe>& probes = matches.probes.all();
  std::vector<KernelFunction> sites;
  for (const std::size_t index : functions) {
    KernelFunction site = std::get<KernelFunction>(probes[index].site);
    site.traced_id =
        is_only_one(functions, probes, index) ? traceable_id(probes[index], types) : 0;
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

}  // namespace

Result<void> choose_function_way(FunctionWay wanted, const d::typed::Program& program,
                                 types::KernelTypes& types, Matches& matches,
                                 codegen::Platform& platform) {
  const std::vector<std::size_t> functions = functions_of(matches);
  if (functions.empty()) {
    return {};
  }
  const bool is_free = wanted == FunctionWay::Fastest;
  if (wanted == FunctionWay::Fentry && uses_registers(program)) {
    return error("fentry has no registers: give fbt=kprobe.multi or fbt=kprobe");
  }
  if (wanted == FunctionWay::Fentry ||
      (is_free && functions.size() <= most_traced && !uses_registers(program))) {
    if (trace_each(functions, types, matches)) {
      return {};
    }
    if (!is_free) {
      return error("this kernel has no fentry for {}, or no type information of it",
                   functions.size() == 1
                       ? matches.probes.all()[functions.front()].function
                       : "one of the functions");
    }
  }
  if (wanted != FunctionWay::Kprobe && bpf::kprobe_multi_available()) {
    platform.function_attach_type = bpf::kprobe_multi_attach_type;
  } else if (wanted == FunctionWay::KprobeMulti) {
    return error("this kernel has no kprobe.multi (CONFIG_FPROBE)");
  }
  return {};
}

}  // namespace kinst::session
