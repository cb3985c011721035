#include "codegen/plan_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "codegen/context/context.h"
#include "provider/provider.h"

namespace kinst::codegen {
namespace {

ContextKind kind_of(const provider::UserInstruction& user) {
  switch (user.kind) {
    case provider::UserPlaceKind::Entry:
      return ContextKind::UserEntry;
    case provider::UserPlaceKind::Return:
      return ContextKind::UserReturn;
    case provider::UserPlaceKind::Instruction:
      break;
  }
  return ContextKind::UserInstruction;
}

ContextKind kind_of(provider::Edge edge, ContextKind entry, ContextKind at_return) {
  return edge == provider::Edge::Entry ? entry : at_return;
}

ContextKind kind_of(const provider::KernelFunction& function,
                    const provider::TracingMethod& tracing) {
  using Kind = ContextKind;
  const auto found = [&] {
    return kind_of(function.edge, Kind::FunctionEntry, Kind::FunctionReturn);
  };
  return std::visit(Overloaded{[&](const provider::ByEvents&) { return found(); },
                               [&](const provider::AtOnce&) { return found(); },
                               [&](const provider::ByFentry&) {
                                 return kind_of(function.edge, Kind::TracedEntry,
                                                Kind::TracedReturn);
                               },
                               [&](const provider::ByBreakpoints&) {
                                 return kind_of(function.edge, Kind::BreakpointEntry,
                                                Kind::BreakpointReturn);
                               }},
                    tracing);
}

ContextKind kind_of(const provider::ComingFunction& function) {
  switch (function.place) {
    case provider::ComingPlace::Entry:
      return ContextKind::ComingEntry;
    case provider::ComingPlace::Return:
      return ContextKind::ComingReturn;
    case provider::ComingPlace::Instruction:
      break;
  }
  return ContextKind::ComingInstruction;
}

ContextKind kind_of(const provider::Site& site,
                    const provider::TracingMethod& tracing) {
  using Kind = ContextKind;
  return std::visit(
      Overloaded{
          [](const provider::DtraceProbe&) { return Kind::Own; },
          [](const provider::KernelInstruction&) { return Kind::KernelInstruction; },
          [](const provider::Timer&) { return Kind::Timer; },
          [](const provider::SystemCall& call) {
            return kind_of(call.edge, Kind::SystemCallEntry, Kind::SystemCallReturn);
          },
          [&](const provider::KernelFunction& function) {
            return kind_of(function, tracing);
          },
          [](const provider::ComingFunction& function) { return kind_of(function); },
          [](const provider::Tracepoint&) { return Kind::Tracepoint; },
          [](const provider::RawTracepoint&) { return Kind::RawTracepoint; },
          [](const provider::UserInstruction& user) { return kind_of(user); }},
      site);
}

bool is_error_probe(const provider::Probe& probe) {
  const auto* own = std::get_if<provider::DtraceProbe>(&probe.site);
  return own != nullptr && *own == provider::DtraceProbe::Error;
}

OperandUse use_of(const d::typed::Program& program,
                  const std::vector<std::size_t>& clauses) {
  OperandUse use;
  for (const std::size_t clause : clauses) {
    add_use(program.clauses[clause], use);
  }
  return use;
}

OperandShape shape_at(const provider::Probe& probe, const OperandUse& use,
                      const CodeFacts& facts) {
  OperandShape shape;
  if (const auto result = facts.results.find(probe.key);
      use.result && result != facts.results.end()) {
    shape.result = result->second;
  }
  if (const auto* site = std::get_if<provider::KernelInstruction>(&probe.site)) {
    shape = shape_of(site->instruction, use);
  }
  for (const d::typed::LocalId local : use.locals) {
    const auto place = facts.locals.find({probe.key, local});
    const auto index = static_cast<std::size_t>(local);
    shape.locals.resize(std::max(shape.locals.size(), index + 1));
    shape.locals[index] =
        place == facts.locals.end() ? kernel::VariableLocation{} : place->second;
  }
  return shape;
}

// What the probes of one program have in common.
struct GroupKey {
  ContextKind context{};
  std::uint32_t attach_type = 0;
  std::vector<std::size_t> clauses;
  OperandShape shape;
  /// The probe, where it cannot share.
  std::optional<std::size_t> alone;

  auto operator<=>(const GroupKey&) const = default;
};

// For each probe, the clauses that run when it fires, in firing order.
std::vector<std::vector<std::size_t>> clauses_of_probes(
    const d::typed::Program& program, const EnabledProbes& enabled) {
  std::vector<std::vector<std::size_t>> clauses_of_probe(enabled.probes.size());
  for (std::size_t clause = 0; clause < program.clauses.size(); ++clause) {
    const std::size_t description = program.clauses[clause].description;
    for (const std::size_t probe : enabled.of_description[description]) {
      clauses_of_probe[probe].push_back(clause);
    }
  }
  return clauses_of_probe;
}

// The group of the first probe that has this key.
ProgramGroup group_of(const GroupKey& key, const provider::TracingMethod& tracing) {
  const auto* by_fentry = std::get_if<provider::ByFentry>(&tracing);
  return {.context = key.context,
          .clauses = key.clauses,
          .probes = {},
          .locals = key.shape.locals,
          .result = key.shape.result,
          .has_results = true,
          .attach_type = key.attach_type,
          .function_id = by_fentry == nullptr ? 0 : by_fentry->function_id};
}

}  // namespace

Plan plan_programs(const d::typed::Program& program, const EnabledProbes& enabled,
                   const CodeFacts& facts) {
  const auto clauses_of_probe = clauses_of_probes(program, enabled);
  std::map<std::vector<std::size_t>, OperandUse> use_of_clauses;
  std::map<GroupKey, std::size_t> group_of_key;
  Plan result;
  for (std::size_t index = 0; index < enabled.probes.size(); ++index) {
    const provider::Probe& probe = enabled.probes[index];
    const provider::TracingMethod& tracing = enabled.tracing[index];
    const std::vector<std::size_t>& clauses = clauses_of_probe[index];
    if (clauses.empty()) {
      continue;
    }
    if (is_error_probe(probe)) {
      result.error_clauses = clauses;
      continue;
    }
    auto use = use_of_clauses.find(clauses);
    if (use == use_of_clauses.end()) {
      use = use_of_clauses.emplace(clauses, use_of(program, clauses)).first;
    }
    const ContextKind context = kind_of(probe.site, tracing);
    const GroupKey key{
        .context = context,
        .attach_type = provider::attach_type_of(probe.site, tracing),
        .clauses = clauses,
        .shape = shape_at(probe, use->second, facts),
        .alone = context_of(context).serves_many ? std::nullopt : std::optional(index)};
    const auto [place, is_new] = group_of_key.try_emplace(key, result.groups.size());
    if (is_new) {
      result.groups.push_back(group_of(key, tracing));
    }
    ProgramGroup& group = result.groups[place->second];
    group.probes.push_back(index);
    group.has_results = group.has_results && provider::has_results(probe.site, tracing);
  }
  return result;
}

std::string to_text(const Plan& plan, std::span<const provider::Probe> probes) {
  std::string out;
  for (const ProgramGroup& group : plan.groups) {
    const provider::Probe& first = probes[group.probes.front()];
    const auto placed = std::ranges::count_if(group.probes, [&](std::size_t probe) {
      return !provider::is_awaited(probes[probe]);
    });
    out += fmt::format("{} program: clauses {}: {} probe{} from {}\n",
                       context_of(group.context).name, fmt::join(group.clauses, ","),
                       placed, placed == 1 ? "" : "s", provider::full_name(first));
  }
  if (!plan.error_clauses.empty()) {
    out += fmt::format("error subprogram: clauses {}\n",
                       fmt::join(plan.error_clauses, ","));
  }
  return out;
}

}  // namespace kinst::codegen
