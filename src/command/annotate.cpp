// `--annotate` counts with an ordinary D program, which runs as any other. The program
// is written here from the decoded instructions, so it only asks for instructions that
// exist.
#include "command/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "compile/source_lines.h"
#include "isa/instruction_class.h"
#include "kernel/code/cold_parts.h"

namespace kinst::command {
namespace {

using isa::InstructionClass;

// Names of aggregations that a user's program will not have by chance.
constexpr std::string_view executed_name = "kinst_annotate_executed";
constexpr std::string_view taken_name = "kinst_annotate_taken";
constexpr std::string_view targets_name = "kinst_annotate_targets";

std::string full_name(const kernel::Function& function) {
  return fmt::format("{}:{}", function.module, function.name);
}

bool is_indirect(const isa::Instruction& instruction) {
  return (instruction.is(InstructionClass::Call) ||
          instruction.is(InstructionClass::Jump)) &&
         (instruction.branch.target == isa::TargetKind::Register ||
          instruction.branch.target == isa::TargetKind::Memory);
}

// "kinst:vmlinux:vfs_read:branch" for each part with an instruction of that kind that
// can be traced; empty if there is none.
template <typename IsMeant>
std::string descriptions(const std::vector<WholeFunction>& functions,
                         const kernel::ProbeRules& rules, const isa::Isa& isa,
                         std::string_view name, IsMeant is_meant) {
  std::set<std::string> all;
  for (const WholeFunction& whole : functions) {
    for (const kernel::ExaminedFunction& part : whole.parts) {
      if (std::ranges::any_of(
              part.function.instructions, [&](const isa::Instruction& instruction) {
                return is_meant(instruction) && !part.refusal(instruction, rules, isa);
              })) {
        all.insert(fmt::format("kinst:{}:{}", full_name(part.function), name));
      }
    }
  }
  return fmt::format("{}", fmt::join(all, ",\n"));
}

std::string_view predicate_of(Counted counted) {
  switch (counted) {
    case Counted::Everybody:
      break;
    case Counted::Target:
      return "/progenyof($target)/\n";
    case Counted::TargetProcess:
      return "/pid == $target/\n";
  }
  return "";
}

std::string counter_name(const isa::Isa& isa) {
  const auto found = std::ranges::find(isa.register_names, isa.program_counter,
                                       &isa::RegisterName::id);
  return fmt::format("regs[{}]", found->name);
}

std::uint64_t integer_of(const record::Value& value) {
  const auto* integer = std::get_if<record::Integer>(&value.data);
  return integer == nullptr ? 0 : integer->value;
}

// Calls `take` with the keys and the value of each of an aggregation's instances.
template <typename Take>
void for_each_instance(consumer::Aggregations& aggregations, std::string_view name,
                       Take take) {
  for (std::uint32_t which = 0; which < aggregations.count(); ++which) {
    const record::Aggregation& layout = aggregations.layout(which);
    if (layout.name != name) {
      continue;
    }
    aggregations.mark_printed(which);
    for (const consumer::Instance* instance : aggregations.sorted(which, {})) {
      std::vector<KernelAddress> keys;
      for (const record::Value& key : instance->keys) {
        keys.push_back(KernelAddress{integer_of(key)});
      }
      take(keys,
           static_cast<std::uint64_t>(consumer::number_of(layout, instance->data, 1)));
    }
  }
}

std::vector<listing::CountedPart> counted_parts(const WholeFunction& whole,
                                                const std::set<KernelAddress>& refused,
                                                const ShownText& shown) {
  std::vector<listing::CountedPart> out;
  for (const kernel::ExaminedFunction& part : whole.parts) {
    listing::CountedPart counted{
        .function = &part.function,
        .listing = listing::disassemble(part, shown.symbols, shown.rules, shown.isa,
                                        shown.syntax)};
    for (std::size_t i = 0; i < counted.listing.rows.size(); ++i) {
      listing::Row& row = counted.listing.rows[i];
      if (row.refused.empty() && counted.listing.refused.empty() &&
          refused.contains(part.function.instructions[i].address)) {
        row.refused = "the kernel refused the probe";
      }
      counted.is_counted.push_back(row.refused.empty() &&
                                   counted.listing.refused.empty());
    }
    out.push_back(std::move(counted));
  }
  return out;
}

}  // namespace

Result<AnnotatedFunctions> functions_to_annotate(std::string_view names,
                                                 const kernel::Symbols& symbols,
                                                 kernel::FunctionReader& reader) {
  AnnotatedFunctions out;
  std::set<KernelAddress> parts;
  for (kernel::ExaminedFunction& examined :
       KINST_TRY(listing::examine(names, symbols, reader))) {
    if (examined.refused) {
      out.skipped.push_back(fmt::format("{}: {}", full_name(examined.function),
                                        examined.refused->reason));
      continue;
    }
    WholeFunction whole;
    whole.parts.push_back(std::move(examined));
    KINST_CHECK(kernel::add_cold_parts(whole.parts, symbols, reader));
    for (std::size_t part = 1; part < whole.parts.size(); ++part) {
      parts.insert(whole.parts[part].function.address);
    }
    out.functions.push_back(std::move(whole));
  }
  // A pattern also matches `.cold` parts as functions of their own.
  std::erase_if(out.functions, [&](const WholeFunction& whole) {
    return parts.contains(whole.parts.front().function.address);
  });
  if (out.functions.empty()) {
    return error("cannot annotate {}", out.skipped.front());
  }
  return out;
}

compile::ProgramText counting_program(const std::vector<WholeFunction>& functions,
                                      const kernel::ProbeRules& rules,
                                      const isa::Isa& isa, Counted counted) {
  const std::string_view predicate = predicate_of(counted);
  const std::string address = counter_name(isa);
  std::string text = fmt::format(
      "{}\n{}{{ @{}[{}] = count(); }}\n",
      descriptions(functions, rules, isa, "", [](const auto&) { return true; }),
      predicate, executed_name, address);
  const std::string branches = descriptions(
      functions, rules, isa, isa::instruction_class_info(InstructionClass::Branch).name,
      [](const isa::Instruction& instruction) {
        return instruction.is(InstructionClass::Branch);
      });
  if (!branches.empty()) {
    text += fmt::format("{}\n{}{{ @{}[{}] = sum(branchtaken); }}\n", branches,
                        predicate, taken_name, address);
  }
  for (const InstructionClass kind : {InstructionClass::Call, InstructionClass::Jump}) {
    const std::string indirect =
        descriptions(functions, rules, isa, isa::instruction_class_info(kind).name,
                     [kind](const isa::Instruction& instruction) {
                       return instruction.is(kind) && is_indirect(instruction);
                     });
    if (!indirect.empty()) {
      text += fmt::format("{}\n{}{{ @{}[{}, branchtarget] = count(); }}\n", indirect,
                          predicate, targets_name, address);
    }
  }
  return {.source = {.name = "the program of --annotate",
                     .text = std::move(text),
                     .line_markers = {}},
          .kind = d::TextKind::CommandLine};
}

Result<listing::Counts> take_counts(consumer::Aggregations& aggregations) {
  KINST_CHECK(aggregations.refresh());
  listing::Counts counts;
  for_each_instance(aggregations, executed_name, [&](const auto& keys, auto count) {
    counts.executed[keys[0]] += count;
  });
  for_each_instance(aggregations, taken_name, [&](const auto& keys, auto count) {
    counts.taken[keys[0]] += count;
  });
  for_each_instance(aggregations, targets_name, [&](const auto& keys, auto count) {
    counts.targets[keys[0]][keys[1]] += count;
  });
  return counts;
}

std::vector<listing::Annotation> annotate(const std::vector<WholeFunction>& functions,
                                          const listing::Counts& counts,
                                          const std::vector<KernelAddress>& refused,
                                          const ShownText& shown,
                                          const listing::RunFacts& run) {
  const std::set<KernelAddress> without_probe(refused.begin(), refused.end());
  std::vector<listing::Annotation> out;
  std::map<std::string, compile::SourceLines, std::less<>> sources;
  for (const WholeFunction& whole : functions) {
    const std::string& module = whole.parts.front().function.module;
    auto lines = sources.try_emplace(module, shown.debug.get(module)).first;
    for (const kernel::ExaminedFunction& part : whole.parts) {
      lines->second.read(
          {.begin = part.function.address,
           .end = part.function.address + FunctionOffset{part.function.size_bytes}});
    }
    out.push_back(listing::annotate(
        counted_parts(whole, without_probe, shown), counts, shown.symbols,
        [&](KernelAddress address) { return lines->second.find(address); }, run));
  }
  return out;
}

}  // namespace kinst::command
