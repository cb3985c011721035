// Compares every instruction's count with the sum of the edges into it. An edge is
// either counted itself (taken, targets), or is what remains of the count of the
// instruction that it comes from. So wherever there was a probe, independent counts are
// compared.
#include "listing/flow.h"

#include <algorithm>
#include <utility>

namespace kinst::listing {
namespace {

using isa::InstructionClass;
using isa::TargetKind;

bool is_indirect(const isa::Instruction& instruction) {
  return instruction.branch.target == TargetKind::Register ||
         instruction.branch.target == TargetKind::Memory;
}

std::uint64_t count_at(const std::map<KernelAddress, std::uint64_t>& counts,
                       KernelAddress address) {
  const auto found = counts.find(address);
  return found == counts.end() ? 0 : found->second;
}

// Builds a Flow step by step.
class Builder {
 public:
  Builder(std::span<const FlowInstruction> instructions, const Counts& counts)
      : instructions_(instructions), counts_(counts) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      number_of_.emplace(instructions[i].instruction->address, i);
    }
  }

  Flow build() {
    take_counts();
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      add_edges_from(i);
    }
    into_.resize(instructions_.size());
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
      if (edges_[edge].to) {
        into_[*edges_[edge].to].push_back(edge);
      }
    }
    find_blind_jumps();
    while (derive_some() || derive_unreached()) {
    }
    trace_blind_jump();
    for (Edge& edge : edges_) {
      edge.count = value_of(edge);
    }
    compare();
    sum_up();
    make_blocks();
    return std::move(flow_);
  }

 private:
  [[nodiscard]] const isa::Instruction& at(std::size_t i) const {
    return *instructions_[i].instruction;
  }

  void take_counts() {
    flow_.executed.resize(instructions_.size());
    flow_.taken.resize(instructions_.size());
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (!instructions_[i].is_counted) {
        continue;
      }
      flow_.executed[i] = {count_at(counts_.executed, at(i).address),
                           Certainty::Counted};
      if (at(i).is(InstructionClass::Branch)) {
        flow_.taken[i] = {count_at(counts_.taken, at(i).address), Certainty::Counted};
      }
    }
  }

  void add_edge(EdgeKind kind, std::size_t from, KernelAddress target,
                Count count = {}) {
    const auto to = number_of_.find(target);
    edges_.push_back(
        {.kind = kind,
         .from = from,
         .to = to == number_of_.end() ? std::nullopt : std::optional(to->second),
         .target = target,
         .count = count});
  }

  void add_indirect(std::size_t from) {
    const auto seen = counts_.targets.find(at(from).address);
    if (seen == counts_.targets.end()) {
      return;
    }
    for (const auto& [target, count] : seen->second) {
      add_edge(EdgeKind::Indirect, from, target, {count, Certainty::Counted});
    }
  }

  void add_next(std::size_t from) {
    const bool ends = instructions_[from].is_end_of_part;
    edges_.push_back({.kind = EdgeKind::Next,
                      .from = from,
                      .to = ends ? std::nullopt : std::optional(from + 1),
                      .target = ends ? KernelAddress{} : at(from + 1).address});
  }

  void add_edges_from(std::size_t i) {
    const isa::Instruction& instruction = at(i);
    if (instruction.is(InstructionClass::Return)) {
      edges_.push_back({.kind = EdgeKind::Return, .from = i});
    } else if (instruction.is(InstructionClass::Jump) && is_indirect(instruction)) {
      add_indirect(i);
    } else if (instruction.is(InstructionClass::Jump)) {
      add_edge(EdgeKind::Jump, i, instruction.branch.address);
    } else {
      if (instruction.is(InstructionClass::Branch)) {
        add_edge(EdgeKind::Taken, i, instruction.branch.address);
      }
      add_next(i);
    }
  }

  // The count of an edge by what is known of the instruction that it comes from.
  [[nodiscard]] Count value_of(const Edge& edge) const {
    const Count& from = flow_.executed[edge.from];
    const Count& taken = flow_.taken[edge.from];
    switch (edge.kind) {
      case EdgeKind::Indirect:
        return edge.count;
      case EdgeKind::Taken:
        return taken;
      case EdgeKind::Next:
        if (at(edge.from).is(InstructionClass::Branch)) {
          return from.is_known() && taken.is_known()
                     ? Count{from.value - std::min(from.value, taken.value),
                             from.certainty}
                     : Count{};
        }
        return from;
      case EdgeKind::Jump:
      case EdgeKind::Return:
        return from;
    }
    return {};
  }

  // The sum of the edges into an instruction; nothing if it is not known.
  [[nodiscard]] std::optional<std::uint64_t> inflow(std::size_t i) const {
    std::uint64_t sum = 0;
    for (const std::size_t edge : into_[i]) {
      const Count count = value_of(edges_[edge]);
      if (!count.is_known()) {
        return std::nullopt;
      }
      sum += count.value;
    }
    return sum;
  }

  // The count of the next instruction, if only this instruction leads to it.
  [[nodiscard]] std::optional<std::uint64_t> outflow(std::size_t i) const {
    const isa::Instruction& instruction = at(i);
    const bool goes_on = !instruction.is(InstructionClass::Return) &&
                         !instruction.is(InstructionClass::Jump) &&
                         !instruction.is(InstructionClass::Branch);
    if (!goes_on || instructions_[i].is_end_of_part || into_[i + 1].size() != 1 ||
        !flow_.executed[i + 1].is_known()) {
      return std::nullopt;
    }
    const std::uint64_t next = flow_.executed[i + 1].value;
    // Executions that an unknown edge may have brought there did not come from here.
    const bool is_certain = next == 0 || i == 0 || !may_have_unknown_edges();
    return is_certain ? std::optional(next) : std::nullopt;
  }

  // Derives counts; returns whether one has become known.
  bool derive_some() {
    bool has_derived = false;
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (flow_.executed[i].is_known()) {
        continue;
      }
      std::optional<std::uint64_t> value;
      if (i != 0 && !into_[i].empty()) {
        value = inflow(i);
      }
      if (!value) {
        value = outflow(i);
      }
      if (value) {
        flow_.executed[i] = {*value, Certainty::Derived};
        has_derived = true;
      }
    }
    return has_derived;
  }

  // Finds indirect jumps that had no probe, so that the edges from them are not known.
  void find_blind_jumps() {
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (!instructions_[i].is_counted && at(i).is(InstructionClass::Jump) &&
          is_indirect(at(i))) {
        blind_jumps_.push_back(i);
      }
    }
  }

  [[nodiscard]] bool may_have_unknown_edges() const {
    return std::ranges::any_of(blind_jumps_, [&](std::size_t i) {
      return !flow_.executed[i].is_known() || flow_.executed[i].value != 0;
    });
  }

  // Derives that an instruction to which nothing leads is never executed. Returns after
  // one such instruction, because the code behind it can perhaps be derived then.
  bool derive_unreached() {
    if (may_have_unknown_edges()) {
      return false;
    }
    for (std::size_t i = 1; i < instructions_.size(); ++i) {
      if (!flow_.executed[i].is_known() && into_[i].empty()) {
        flow_.executed[i] = {0, Certainty::Derived};
        return true;
      }
    }
    return false;
  }

  // By how much an instruction's count exceeds what is known to come in.
  [[nodiscard]] std::uint64_t surplus(std::size_t i) const {
    std::uint64_t in = 0;
    for (const std::size_t edge : into_[i]) {
      in += value_of(edges_[edge]).value;
    }
    const Count& out = flow_.executed[i];
    const bool is_explained =
        i == 0 || !out.is_known() ||
        (at(i - 1).is(InstructionClass::Call) && !into_[i].empty());
    return is_explained || out.value <= in ? 0 : out.value - in;
  }

  // If exactly one indirect jump had no probe, it must have gone where the counts
  // exceed what came in, provided that their sum is at most the jump's count.
  void trace_blind_jump() {
    if (blind_jumps_.size() != 1 || !flow_.executed[blind_jumps_[0]].is_known()) {
      return;
    }
    const std::size_t from = blind_jumps_[0];
    std::map<std::size_t, std::uint64_t> found;
    std::uint64_t sum = 0;
    for (std::size_t i = 1; i < instructions_.size(); ++i) {
      if (const std::uint64_t more = surplus(i); more != 0) {
        found.emplace(i, more);
        sum += more;
      }
    }
    if (sum > flow_.executed[from].value) {
      return;
    }
    for (const auto& [to, count] : found) {
      into_[to].push_back(edges_.size());
      add_edge(EdgeKind::Indirect, from, at(to).address, {count, Certainty::Derived});
    }
  }

  void note(Difference::Place place, std::size_t i, std::uint64_t in,
            std::uint64_t out) {
    if (in == out) {
      return;
    }
    flow_.differences.push_back(
        {.place = place, .at = i, .amount = static_cast<std::int64_t>(in - out)});
    if (in > out) {
      flow_.kept_inside += in - out;
    } else {
      flow_.came_from_inside += out - in;
    }
  }

  // An indirect jump's targets are counted apart from the jump.
  void compare_targets(std::size_t i) {
    const isa::Instruction& instruction = at(i);
    if (!instruction.is(InstructionClass::Jump) || !is_indirect(instruction) ||
        !flow_.executed[i].is_known()) {
      return;
    }
    std::uint64_t out = 0;
    for (const Edge& edge : edges_) {
      out += edge.kind == EdgeKind::Indirect && edge.from == i ? edge.count.value : 0;
    }
    note(Difference::Place::FarJump, i, flow_.executed[i].value, out);
  }

  void compare() {
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      const auto in = inflow(i);
      if (i != 0 && in && flow_.executed[i].is_known()) {
        const bool is_behind_call = !instructions_[i - 1].is_end_of_part &&
                                    at(i - 1).is(InstructionClass::Call);
        note(
            is_behind_call ? Difference::Place::BehindCall : Difference::Place::Between,
            is_behind_call ? i - 1 : i, *in, flow_.executed[i].value);
      }
      compare_targets(i);
    }
  }

  void sum_up() {
    flow_.returned.certainty = Certainty::Counted;
    flow_.jumped_out.certainty = Certainty::Counted;
    for (const Edge& edge : edges_) {
      if (edge.to) {
        continue;
      }
      if (edge.kind == EdgeKind::Next) {
        // Nothing follows a call that never returns.
        note(Difference::Place::BehindCall, edge.from, edge.count.value, 0);
        continue;
      }
      Count& sum = edge.kind == EdgeKind::Return ? flow_.returned : flow_.jumped_out;
      sum.value += edge.count.value;
      if (!edge.count.is_known()) {
        sum.certainty = Certainty::Unknown;
      }
    }
    const auto in = instructions_.empty() ? std::nullopt : inflow(0);
    if (in && flow_.executed[0].is_known()) {
      // Executions that come back to the first instruction from within do not enter the
      // function.
      flow_.entered = flow_.executed[0];
      flow_.entered.value -= std::min(*in, flow_.entered.value);
    }
  }

  void make_blocks() {
    std::vector<bool> leads(instructions_.size());
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      leads[i] = i == 0 || instructions_[i - 1].is_end_of_part;
    }
    for (const Edge& edge : edges_) {
      const bool moves = edge.kind != EdgeKind::Next;
      if (moves && edge.to) {
        leads[*edge.to] = true;
      }
      if ((moves || at(edge.from).is(InstructionClass::Branch)) &&
          edge.from + 1 < leads.size()) {
        leads[edge.from + 1] = true;
      }
    }
    // An indirect jump that never ran has no edge, and ends its block all the same.
    for (std::size_t i = 0; i + 1 < instructions_.size(); ++i) {
      leads[i + 1] = leads[i + 1] || at(i).is(InstructionClass::Jump);
    }
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (leads[i]) {
        flow_.blocks.push_back({.first = i, .last = i});
      }
      flow_.blocks.back().last = i;
      flow_.block_of.push_back(flow_.blocks.size() - 1);
    }
    for (const Edge& edge : edges_) {
      const bool is_within = edge.kind == EdgeKind::Next && edge.to && !leads[*edge.to];
      if (!is_within) {
        flow_.edges.push_back(edge);
      }
    }
    std::ranges::stable_sort(flow_.edges, {}, &Edge::from);
  }

  std::span<const FlowInstruction> instructions_;
  const Counts& counts_;
  std::map<KernelAddress, std::size_t> number_of_;
  std::vector<Edge> edges_;                     // all, those within blocks too
  std::vector<std::vector<std::size_t>> into_;  // edges, by instruction
  std::vector<std::size_t> blind_jumps_;
  Flow flow_;
};

}  // namespace

bool Flow::adds_up() const {
  return entered.is_known() && returned.is_known() && jumped_out.is_known() &&
         entered.value + came_from_inside ==
             returned.value + jumped_out.value + kept_inside;
}

Flow follow_flow(std::span<const FlowInstruction> instructions, const Counts& counts) {
  return Builder(instructions, counts).build();
}

}  // namespace kinst::listing
