// Sites say whether there are registers and arguments, providers of which types.
#include "session/contexts.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "d/descriptions.h"

namespace kinst::session {
namespace {

struct Abilities {
  bool registers = false;
  bool argument_variables = true;
};

Abilities abilities_of(const provider::Site& site) {
  return std::visit(
      Overloaded{
          [](const provider::KernelInstruction&) {
            return Abilities{.registers = true, .argument_variables = false};
          },
          [](const provider::Timer&) { return Abilities{.registers = true}; },
          [](const provider::KernelFunction&) { return Abilities{.registers = true}; },
          [](const provider::UserInstruction&) { return Abilities{.registers = true}; },
          [](const auto&) { return Abilities{}; }},
      site);
}

// A provider's probes carry its name, behind which pid puts a process.
const provider::Provider* provider_of(const provider::Probe& probe,
                                      const Providers& providers) {
  const auto found = std::ranges::find_if(providers, [&](const auto& provider) {
    return probe.provider == provider->name() ||
           (provider->is_on_demand() && probe.provider.starts_with(provider->name()));
  });
  return found == providers.end() ? nullptr : found->get();
}

std::optional<std::vector<d::ProbeArgument>> arguments_of(const provider::Probe& probe,
                                                          const Providers& providers,
                                                          d::Environment& environment,
                                                          types::TypeTable& types) {
  const provider::Provider* provider = provider_of(probe, providers);
  if (provider == nullptr) {
    return std::nullopt;
  }
  std::vector<d::ProbeArgument> arguments;
  for (provider::ProbeArgument& one : provider->arguments(probe)) {
    if (!one.type && !one.spelling.empty()) {
      one.type = d::find_type(one.spelling, environment, types);
    }
    arguments.push_back({.native = one.type,
                         .translated = {},
                         .native_index = static_cast<std::uint32_t>(arguments.size())});
  }
  return arguments;
}

}  // namespace

std::vector<d::ProbeContext> contexts_of(const Matches& matches,
                                         const Providers& providers,
                                         Unmatched unmatched,
                                         d::Environment& environment,
                                         types::TypeTable& types) {
  const std::vector<provider::Probe>& probes = matches.probes.all();
  std::vector<d::ProbeContext> contexts;
  for (std::size_t index = 0; index < matches.descriptions.size(); ++index) {
    d::ProbeContext& context = contexts.emplace_back();
    context.number = index;
    if (const auto* named = std::get_if<d::Description>(matches.descriptions[index])) {
      context.description = d::to_text(*named);
    }
    const std::vector<std::size_t>& matched = matches.of_description[index];
    if (matched.empty()) {
      // With -Z: checked for what it says, whatever there may be one day.
      context.is_absent = unmatched == Unmatched::IsError;
      context.has_registers = true;
      context.is_instruction = true;
      continue;
    }
    context.arguments =
        arguments_of(probes[matched.front()], providers, environment, types);
    context.has_registers = std::ranges::all_of(matched, [&](std::size_t probe) {
      return abilities_of(probes[probe].site).registers;
    });
    context.has_arg_variables = std::ranges::any_of(matched, [&](std::size_t probe) {
      return abilities_of(probes[probe].site).argument_variables;
    });
    context.is_instruction = std::ranges::all_of(matched, [&](std::size_t probe) {
      return std::holds_alternative<provider::KernelInstruction>(probes[probe].site);
    });
    const auto any_instruction = [&](auto predicate) {
      return std::ranges::any_of(matched, [&](std::size_t probe) {
        const auto* site =
            std::get_if<provider::KernelInstruction>(&probes[probe].site);
        return site == nullptr || predicate(site->instruction);
      });
    };
    context.has_memory_operand = any_instruction(
        [](const isa::Instruction& one) { return !one.memory.empty(); });
    context.has_branch = any_instruction([](const isa::Instruction& one) {
      return one.branch.target != isa::TargetKind::None;
    });
  }
  return contexts;
}

}  // namespace kinst::session
