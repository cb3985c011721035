// Sites say whether there are registers and arguments, providers of which types.
#include "compile/contexts.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "compile/match/probe_arguments.h"
#include "d/syntax/descriptions.h"

namespace kinst::compile {
namespace {

struct Abilities {
  bool registers = false;
  bool argument_variables = true;
};

Abilities abilities_of(const provider::Site& site) {
  return std::visit(
      Overloaded{
          [](const provider::KernelInstruction& instruction) {
            return Abilities{.registers = true,
                             .argument_variables = instruction.is_entry};
          },
          [](const provider::Timer&) { return Abilities{.registers = true}; },
          [](const provider::KernelFunction&) { return Abilities{.registers = true}; },
          [](const provider::ComingFunction&) { return Abilities{.registers = true}; },
          [](const provider::UserInstruction&) { return Abilities{.registers = true}; },
          [](const auto&) { return Abilities{}; }},
      site);
}

// Not in the middle of functions, wherever these are.
bool has_arguments_when_it_comes(std::size_t description, const Matches& matches) {
  return std::ranges::none_of(matches.awaited, [&](const Awaited& one) {
    if (one.description != description) {
      return false;
    }
    const auto& probe = matches.probes.all()[one.probes.front()];
    const auto* coming = std::get_if<provider::ComingFunction>(&probe.site);
    return coming != nullptr && coming->place == provider::ComingPlace::Instruction &&
           probe.name != "entry";
  });
}

}  // namespace

std::vector<d::ProbeContext> contexts_of(const Matches& matches,
                                         const Providers& providers,
                                         Unmatched unmatched,
                                         d::Environment& environment,
                                         types::TypeTable& types) {
  const std::vector<provider::Probe>& probes = matches.probes.all();
  std::vector<d::ProbeContext> contexts;
  // Descriptions that begin with the same probe have the same ones: to find them out
  // takes reading files.
  std::unordered_map<std::size_t, std::vector<d::ProbeArgument>> arguments;
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
      context.has_arg_variables = has_arguments_when_it_comes(index, matches);
      continue;
    }
    const auto [known, is_new] = arguments.try_emplace(matched.front());
    if (is_new) {
      known->second =
          arguments_of(probes[matched.front()], providers, environment, types);
    }
    const bool is_coming = std::ranges::all_of(matched, [&](std::size_t probe) {
      return provider::comes_with_module(probes[probe]);
    });
    if (!is_coming || !known->second.empty()) {
      context.arguments = known->second;
    }
    context.has_registers = std::ranges::all_of(matched, [&](std::size_t probe) {
      return abilities_of(probes[probe].site).registers;
    });
    context.has_arg_variables = std::ranges::all_of(matched, [&](std::size_t probe) {
      return abilities_of(probes[probe].site).argument_variables;
    });
    context.is_instruction = std::ranges::all_of(matched, [&](std::size_t probe) {
      return std::holds_alternative<provider::KernelInstruction>(probes[probe].site);
    });
    context.is_return = std::ranges::all_of(matched, [&](std::size_t probe) {
      const auto* site = std::get_if<provider::KernelInstruction>(&probes[probe].site);
      return site != nullptr && site->instruction.is(isa::InstructionClass::Return);
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

}  // namespace kinst::compile
