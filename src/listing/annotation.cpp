#include "listing/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kinst::listing {
namespace {

using isa::InstructionClass;

std::vector<FlowInstruction> flow_instructions(std::span<const CountedPart> parts) {
  std::vector<FlowInstruction> out;
  for (const CountedPart& part : parts) {
    const auto& instructions = part.function->instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      out.push_back({.instruction = &instructions[i],
                     .is_counted = part.is_counted[i],
                     .is_end_of_part = i + 1 == instructions.size()});
    }
  }
  return out;
}

// The name of a target: by offset within the function, otherwise by symbol.
std::string target_name(std::span<const CountedPart> parts,
                        const kernel::Symbols& symbols, KernelAddress address) {
  std::string name = place_within(*parts.front().function, address);
  if (name.empty()) {
    name = kernel::symbol_text(symbols, address);
  }
  return name.empty() ? fmt::format("{:#x}", number(address)) : name;
}

void sort_by_count(std::vector<TargetCount>& targets) {
  std::ranges::stable_sort(targets, std::ranges::greater{}, &TargetCount::count);
}

// Of calls as they were counted, of jumps also as they were derived.
std::vector<TargetCount> targets_of(
    std::size_t at, const isa::Instruction& instruction, const Counts& counts,
    const Flow& flow, const std::function<std::string(KernelAddress)>& name) {
  std::vector<TargetCount> out;
  const auto seen = counts.targets.find(instruction.address);
  if (instruction.is(InstructionClass::Call) && seen != counts.targets.end() &&
      instruction.branch.target != isa::TargetKind::Direct) {
    for (const auto& [address, count] : seen->second) {
      out.push_back({name(address), count});
    }
  }
  for (const Edge& edge : flow.edges) {
    if (edge.kind == EdgeKind::Indirect && edge.from == at) {
      out.push_back({name(edge.target), edge.count.value});
    }
  }
  sort_by_count(out);
  return out;
}

// Beside the mean of what was executed at all: half as much again is warm, four times
// as much hot. Where all runs equally often nothing stands out.
void set_heats(std::vector<AnnotatedRow>& rows) {
  std::uint64_t sum = 0;
  std::uint64_t executed = 0;
  for (const AnnotatedRow& row : rows) {
    sum += row.executed.value;
    executed += row.executed.value != 0 ? 1 : 0;
  }
  for (AnnotatedRow& row : rows) {
    // In hundredths of the mean.
    const auto share = sum == 0 ? 0.0
                                : 100.0 * static_cast<double>(row.executed.value) *
                                      static_cast<double>(executed) /
                                      static_cast<double>(sum);
    if (!row.executed.is_known()) {
      row.heat = Heat::Unknown;
    } else if (row.executed.value == 0) {
      row.heat = Heat::Never;
    } else {
      row.heat = share >= 400 ? Heat::Hot : share >= 150 ? Heat::Warm : Heat::Usual;
    }
  }
}

std::vector<std::string> edge_targets(
    const Flow& flow, const std::function<std::string(KernelAddress)>& name) {
  std::vector<std::string> out;
  for (const Edge& edge : flow.edges) {
    const bool has_target = !edge.to && number(edge.target) != 0;
    out.push_back(edge.kind == EdgeKind::Return ? "return"
                  : has_target                  ? name(edge.target)
                                                : "");
  }
  return out;
}

std::vector<TargetCount> exits_of(const Flow& flow,
                                  const std::vector<std::string>& targets) {
  std::vector<TargetCount> out;
  for (std::size_t i = 0; i < flow.edges.size(); ++i) {
    const Edge& edge = flow.edges[i];
    const std::string& name = targets[i];
    if (name.empty() || edge.count.value == 0) {
      continue;
    }
    const auto known = std::ranges::find(out, name, &TargetCount::name);
    if (known == out.end()) {
      out.push_back({name, edge.count.value});
    } else {
      known->count += edge.count.value;
    }
  }
  sort_by_count(out);
  return out;
}

}  // namespace

Annotation annotate(std::span<const CountedPart> parts, const Counts& counts,
                    const kernel::Symbols& symbols, const FindSource& find_source,
                    RunFacts run) {
  Annotation out{.module = parts.front().listing.module,
                 .function = parts.front().listing.function,
                 .flow = follow_flow(flow_instructions(parts), counts),
                 .run = std::move(run)};
  const auto name = [&](KernelAddress address) {
    return target_name(parts, symbols, address);
  };
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto& instructions = parts[part].function->instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const std::size_t at = out.rows.size();
      AnnotatedRow row{.part = part,
                       .block = out.flow.block_of[at],
                       .row = parts[part].listing.rows[i],
                       .executed = out.flow.executed[at],
                       .taken = out.flow.taken[at]};
      row.targets = targets_of(at, instructions[i], counts, out.flow, name);
      row.source = find_source(instructions[i].address);
      out.rows.push_back(std::move(row));
    }
    Disassembly head = parts[part].listing;
    head.rows.clear();
    out.parts.push_back(std::move(head));
  }
  set_heats(out.rows);
  out.edge_targets = edge_targets(out.flow, name);
  out.exits = exits_of(out.flow, out.edge_targets);
  return out;
}

std::string place_text(const Annotation& annotation, std::size_t row) {
  const AnnotatedRow& annotated = annotation.rows[row];
  std::string_view part;
  if (annotated.part != 0) {
    part = annotation.parts[annotated.part].function;
    part.remove_prefix(
        part.starts_with(annotation.function) ? annotation.function.size() : 0);
  }
  return fmt::format("{}+{:#x}", part, number(annotated.row.offset));
}

std::string explain(const Annotation& annotation, const Difference& difference) {
  std::string place = place_text(annotation, difference.at);
  const std::string& text = annotation.rows[difference.at].row.text;
  const bool went_in = difference.amount > 0;
  const std::uint64_t amount =
      went_in ? static_cast<std::uint64_t>(difference.amount)
              : std::uint64_t{0} - static_cast<std::uint64_t>(difference.amount);
  switch (difference.place) {
    case Difference::Place::BehindCall:
      return fmt::format("{} {}: {}", place, text,
                         went_in ? fmt::format("{} did not come back before counting "
                                               "ended, or never does",
                                               amount)
                                 : fmt::format("{} came back that went there before "
                                               "counting began",
                                               amount));
    case Difference::Place::FarJump:
      return fmt::format("{} {}: targets of {} {}", place, text, amount,
                         went_in ? "were not counted" : "were counted without it");
    case Difference::Place::Between:
      return fmt::format(
          "{} {}: {} {}", place, text, amount,
          went_in ? "came as far as here and did not go on: interrupted when counting "
                    "ended, or left by an exception"
                  : "began here: interrupted when counting began, or come from an "
                    "exception or from other code");
  }
  return place;
}

std::string count_text(const Count& count) {
  switch (count.certainty) {
    case Certainty::Counted:
      return fmt::format("{}", count.value);
    case Certainty::Derived:
      return fmt::format("({})", count.value);
    case Certainty::Unknown:
      break;
  }
  return "?";
}

}  // namespace kinst::listing
