#include "compile/match/probe_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "isa/isa.h"
#include "provider/kernel/function_arguments.h"
#include "types/kernel_types.h"

namespace kinst::compile {
namespace {

// A provider's probes carry its name, behind which pid puts a process.
const provider::Provider* provider_of(const provider::Probe& probe,
                                      const Providers& providers) {
  const auto found = std::ranges::find_if(providers, [&](const auto& provider) {
    return probe.provider == provider->name() ||
           (provider->is_on_demand() && probe.provider.starts_with(provider->name()));
  });
  return found == providers.end() ? nullptr : found->get();
}

using Arguments = std::vector<d::ProbeArgument>;

// A function of the probe's name with those arguments.
types::Prototype prototype_of(const provider::Probe& probe, const Arguments& arguments,
                              d::Environment& environment,
                              const types::TypeTable& types) {
  types::Prototype prototype{.result = types.void_type()};
  for (const d::ProbeArgument& argument : arguments) {
    prototype.parameters.push_back(
        {.name = {}, .type = argument.native.value_or(types.int64_type())});
  }
  const auto symbol = environment.kernel_symbol(probe.module, probe.function);
  if (symbol && symbol->type) {
    const auto* function = std::get_if<types::Function>(&types.resolved(*symbol->type));
    prototype.result = function == nullptr ? prototype.result : function->result;
  }
  return prototype;
}

// What is in registers is told as argN, which every way of tracing has; what is in
// memory can be long.
d::RecordPlace record_place(const std::vector<std::uint32_t>& words,
                            const isa::Isa& isa) {
  constexpr std::size_t most_in_registers = 2;
  if (words.size() <= most_in_registers) {
    return {.words = words};
  }
  const std::uint64_t above = words.front() - isa.argument_registers.size();
  return {.words = {},
          .stack_register = static_cast<std::uint32_t>(isa.stack_pointer),
          .stack_offset_bytes = 8 * (isa.return_address_words + above)};
}

// Where the parameters are: one by value that is before others may take two words, or
// none.
void place(const provider::Probe& probe, d::Environment& environment,
           const types::TypeTable& types, Arguments& arguments) {
  if (!provider::is_function_entry(probe)) {
    return;
  }
  const types::Prototype prototype = prototype_of(probe, arguments, environment, types);
  const auto places = provider::entry_places(prototype, types, isa::native());
  for (std::size_t number = 0; number < arguments.size(); ++number) {
    d::ProbeArgument& argument = arguments[number];
    const provider::ArgumentPlace& found = places[number];
    argument.why_unreadable = found.why_unreadable;
    if (found.words.empty()) {
      if (argument.why_unreadable.empty()) {
        argument.why_unreadable = "its type has no bytes";
      }
      continue;
    }
    argument.native_index = found.words.front();
    if (types.is_by_reference(prototype.parameters[number].type)) {
      argument.record = record_place(found.words, isa::native());
    }
  }
}

bool is_same(const Arguments& one, const Arguments& other, std::uint64_t argument,
             const types::TypeTable& types) {
  if (argument >= one.size() || argument >= other.size()) {
    return argument >= one.size() && argument >= other.size();
  }
  const auto& left = one[argument].native;
  const auto& right = other[argument].native;
  const bool is_same_type =
      left && right ? types.is_compatible(*left, *right) : !left && !right;
  return is_same_type && one[argument].native_index == other[argument].native_index &&
         one[argument].record == other[argument].record;
}

// "'struct file *' at fbt:vmlinux:vfs_read:entry"
std::string described(const Arguments& arguments, std::uint64_t argument,
                      const provider::Probe& probe, const types::TypeTable& types) {
  std::string type = "none";
  if (argument < arguments.size()) {
    const auto& native = arguments[argument].native;
    type = native ? "'" + types.name_of(*native) + "'" : "of unknown type";
  }
  return fmt::format("{} at {}", type, provider::full_name(probe));
}

}  // namespace

std::vector<d::ProbeArgument> arguments_of(const provider::Probe& probe,
                                           const Providers& providers,
                                           d::Environment& environment,
                                           types::TypeTable& types) {
  std::vector<d::ProbeArgument> arguments;
  const provider::Provider* provider = provider_of(probe, providers);
  if (provider == nullptr) {
    return arguments;
  }
  for (provider::ProbeArgument& one : provider->arguments(probe)) {
    if (!one.type && !one.spelling.empty()) {
      one.type = d::find_type(one.spelling, environment, types);
    }
    arguments.push_back({.native = one.type,
                         .translated = {},
                         .native_index = static_cast<std::uint32_t>(arguments.size())});
  }
  place(probe, environment, types, arguments);
  return arguments;
}

const Arguments& ArgumentDifferences::of_probe(std::size_t index) {
  const auto [entry, is_new] = known_.try_emplace(index);
  if (is_new) {
    entry->second = arguments_of(matches_->probes.all()[index], *providers_,
                                 *environment_, *types_);
  }
  return entry->second;
}

std::string ArgumentDifferences::find(std::size_t description, std::uint64_t argument) {
  const std::vector<std::size_t>& probes = matches_->of_description.at(description);
  if (probes.size() < 2) {
    return {};
  }
  const std::vector<provider::Probe>& all = matches_->probes.all();
  const Arguments& of_first = of_probe(probes.front());
  for (const std::size_t index : probes) {
    const Arguments& others = of_probe(index);
    if (!is_same(of_first, others, argument, *types_)) {
      return fmt::format("{}, but {}",
                         described(of_first, argument, all[probes.front()], *types_),
                         described(others, argument, all[index], *types_));
    }
  }
  return {};
}

codegen::ResultTypes ArgumentDifferences::results(
    const d::typed::Program& program,
    std::span<const std::vector<std::size_t>> of_description) {
  codegen::ResultTypes results;
  for (const d::typed::Clause& clause : program.clauses) {
    if (!codegen::uses_result(clause)) {
      continue;
    }
    for (const std::size_t index : of_description[clause.description]) {
      const provider::Probe& probe = matches_->probes.all()[index];
      if (!provider::is_function_return(probe)) {
        continue;
      }
      const Arguments& arguments = of_probe(index);
      const auto type = arguments.size() < 2 ? std::nullopt : arguments[1].native;
      if (type && types_->is_integer(*type)) {
        results[probe.key] = {.size_bytes = types_->size_of(*type).value_or(8),
                              .is_signed = types_->is_signed(*type)};
      }
    }
  }
  return results;
}

}  // namespace kinst::compile
