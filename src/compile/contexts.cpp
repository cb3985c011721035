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
          [](const provider::DtraceProbe&) { return Abilities{}; },
          [](const provider::SystemCall&) { return Abilities{}; },
          [](const provider::Tracepoint&) { return Abilities{}; },
          [](const provider::RawTracepoint&) { return Abilities{}; }},
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

using ProbePointers = std::vector<const provider::Probe*>;

ProbePointers probes_of(const std::vector<std::size_t>& indexes,
                        const Matches& matches) {
  ProbePointers probes;
  for (const std::size_t index : indexes) {
    probes.push_back(&matches.probes.all()[index]);
  }
  return probes;
}

template <typename Predicate>
bool for_all(const ProbePointers& probes, Predicate predicate) {
  return std::ranges::all_of(
      probes, [&](const provider::Probe* probe) { return predicate(*probe); });
}

const isa::Instruction* instruction_at(const provider::Probe& probe) {
  const auto* site = std::get_if<provider::KernelInstruction>(&probe.site);
  return site == nullptr ? nullptr : &site->instruction;
}

// Whether the predicate holds for an instruction of the probes, or one of them is at
// none.
template <typename Predicate>
bool any_instruction(const ProbePointers& probes, Predicate predicate) {
  return std::ranges::any_of(probes, [&](const provider::Probe* probe) {
    const isa::Instruction* instruction = instruction_at(*probe);
    return instruction == nullptr || predicate(*instruction);
  });
}

// What all the probes of a description have.
void note_abilities(const ProbePointers& probes, d::ProbeContext& context) {
  context.has_registers = for_all(probes, [](const provider::Probe& probe) {
    return abilities_of(probe.site).registers;
  });
  context.has_arg_variables = for_all(probes, [](const provider::Probe& probe) {
    return abilities_of(probe.site).argument_variables;
  });
  context.is_instruction = for_all(probes, [](const provider::Probe& probe) {
    return instruction_at(probe) != nullptr;
  });
  context.is_return = for_all(probes, [](const provider::Probe& probe) {
    const isa::Instruction* instruction = instruction_at(probe);
    return instruction != nullptr && instruction->is(isa::InstructionClass::Return);
  });
  context.has_memory_operand = any_instruction(
      probes, [](const isa::Instruction& one) { return !one.memory.empty(); });
  context.has_branch = any_instruction(probes, [](const isa::Instruction& one) {
    return one.branch.target != isa::TargetKind::None;
  });
}

}  // namespace

std::vector<d::ProbeContext> contexts_of(const Matches& matches,
                                         const Providers& providers,
                                         Unmatched unmatched,
                                         d::Environment& environment,
                                         types::TypeTable& types) {
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
    const ProbePointers probes = probes_of(matches.of_description[index], matches);
    if (probes.empty()) {
      // With -Z: checked for what it says, whatever there may be one day.
      context.is_absent = unmatched == Unmatched::IsError;
      context.has_registers = true;
      context.is_instruction = true;
      context.has_arg_variables = has_arguments_when_it_comes(index, matches);
      continue;
    }
    const auto [known, is_new] =
        arguments.try_emplace(matches.of_description[index].front());
    if (is_new) {
      known->second = arguments_of(*probes.front(), providers, environment, types);
    }
    if (!for_all(probes, provider::comes_with_module) || !known->second.empty()) {
      context.arguments = known->second;
    }
    note_abilities(probes, context);
  }
  return contexts;
}

}  // namespace kinst::compile
