// Three passes: which items can be reached, where each of them ends up, and the
// instructions themselves.
#include "bpf/code/assemble.h"

#include <fmt/core.h>

#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bpf/code/long_jumps.h"

namespace kinst::bpf {
namespace {

using LabelPositions = std::unordered_map<std::uint32_t, std::size_t>;

/// The index of the item at which each label stands.
LabelPositions find_labels(const Function& function) {
  LabelPositions positions;
  for (std::size_t i = 0; i < function.items.size(); ++i) {
    if (const auto* label = std::get_if<LabelDefinition>(&function.items[i])) {
      positions.emplace(static_cast<std::uint32_t>(label->label), i);
    }
  }
  return positions;
}

bool is_exit(const Item& item) {
  const auto* instruction = std::get_if<Instruction>(&item);
  return instruction != nullptr && *instruction == bpf::exit();
}

bool is_unconditional_jump(const Item& item) {
  const auto* jump = std::get_if<JumpToLabel>(&item);
  return jump != nullptr && jump->jump == bpf::jump();
}

/// For each item, whether control can come to it.
Result<std::vector<bool>> find_reachable(const Function& function,
                                         const LabelPositions& labels) {
  std::vector<bool> reachable(function.items.size());
  std::vector<std::size_t> pending = {0};
  while (!pending.empty()) {
    const std::size_t at = pending.back();
    pending.pop_back();
    if (at >= function.items.size()) {
      return error("internal: BPF function {} runs off its end", function.name);
    }
    if (reachable[at]) {
      continue;
    }
    reachable[at] = true;
    const Item& item = function.items[at];
    if (const auto* jump = std::get_if<JumpToLabel>(&item)) {
      const auto target = labels.find(static_cast<std::uint32_t>(jump->target));
      if (target == labels.end()) {
        return error("internal: label L{} of BPF function {} is nowhere",
                     static_cast<unsigned>(jump->target), function.name);
      }
      pending.push_back(target->second);
    }
    if (!is_exit(item) && !is_unconditional_jump(item)) {
      pending.push_back(at + 1);
    }
  }
  return reachable;
}

/// A jump with its offset: counted from the instruction behind the jump.
Result<Instruction> resolve(const JumpToLabel& jump, std::size_t from, std::size_t to,
                            const std::string& function) {
  const auto distance =
      static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from) - 1;
  if (distance > std::numeric_limits<std::int16_t>::max() ||
      distance < std::numeric_limits<std::int16_t>::min()) {
    return error("internal: a jump of {} BPF instructions in {}, the limit is 32767",
                 distance, function);
  }
  Instruction resolved = jump.jump;
  resolved.offset = static_cast<std::int16_t>(distance);
  return resolved;
}

/// Where each item's instructions begin, those left out taking no room.
std::vector<std::size_t> lay_out(const Function& function,
                                 const std::vector<bool>& reachable) {
  std::vector<std::size_t> slot_of_item;
  std::size_t slot = 0;
  for (std::size_t i = 0; i < function.items.size(); ++i) {
    slot_of_item.push_back(slot);
    slot += reachable[i] ? slots(function.items[i]) : 0;
  }
  return slot_of_item;
}

/// Writes the instructions of one kind of item after the other.
class Writer {
 public:
  Writer(const std::string& name, const std::vector<MapSpecification>& maps,
         const LabelPositions& labels, const std::vector<std::size_t>& slot_of_item)
      : maps_(maps), labels_(labels), slot_of_item_(slot_of_item) {
    assembled_.name = name;
  }

  Result<void> operator()(const Instruction& instruction) {
    assembled_.instructions.push_back(instruction);
    return {};
  }
  Result<void> operator()(const JumpToLabel& jump) {
    const std::size_t target = labels_.at(static_cast<std::uint32_t>(jump.target));
    assembled_.instructions.push_back(
        KINST_TRY(resolve(jump, assembled_.instructions.size(),
                          slot_of_item_.at(target), assembled_.name)));
    return {};
  }
  Result<void> operator()(const CallFunction& call) {
    refer(Reference::Kind::Call, call.name);
    assembled_.instructions.push_back(
        {.opcode = BPF_JMP | BPF_CALL, .source = Register{BPF_PSEUDO_CALL}});
    return {};
  }
  Result<void> operator()(const LoadMap& load) {
    refer(Reference::Kind::Map, map_name(load.map));
    return append_wide(load.destination, 0);
  }
  Result<void> operator()(const LoadMapValue& load) {
    refer(Reference::Kind::MapValue, map_name(load.map), load.offset);
    return append_wide(load.destination, 0);
  }
  Result<void> operator()(const LoadConstant& load) {
    return append_wide(load.destination, load.value);
  }
  Result<void> operator()(const LabelDefinition& /*label*/) { return {}; }
  Result<void> operator()(const Comment& /*comment*/) { return {}; }

  AssembledFunction take() && { return std::move(assembled_); }

 private:
  void refer(Reference::Kind kind, std::string name, std::uint32_t offset = 0) {
    assembled_.references.push_back(
        {kind, assembled_.instructions.size(), std::move(name), offset});
  }
  const std::string& map_name(MapId map) const {
    return maps_.at(static_cast<std::size_t>(map)).name;
  }
  /// An ld_imm64, which takes two slots.
  Result<void> append_wide(Register destination, std::uint64_t value) {
    const auto half = [value](unsigned shift) {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(value >> shift));
    };
    assembled_.instructions.push_back({.opcode = BPF_LD | BPF_IMM | BPF_DW,
                                       .destination = destination,
                                       .immediate = half(0)});
    assembled_.instructions.push_back({.immediate = half(32)});
    return {};
  }

  const std::vector<MapSpecification>& maps_;
  const LabelPositions& labels_;
  const std::vector<std::size_t>& slot_of_item_;
  AssembledFunction assembled_;
};

Result<AssembledFunction> write(const Function& function,
                                const std::vector<MapSpecification>& maps) {
  const LabelPositions labels = find_labels(function);
  const std::vector<bool> reachable = KINST_TRY(find_reachable(function, labels));
  const std::vector<std::size_t> slot_of_item = lay_out(function, reachable);
  Writer writer(function.name, maps, labels, slot_of_item);
  for (std::size_t i = 0; i < function.items.size(); ++i) {
    if (reachable[i]) {
      KINST_CHECK(std::visit(writer, function.items[i]));
    }
  }
  return std::move(writer).take();
}

}  // namespace

Result<AssembledFunction> assemble(const Function& function,
                                   const std::vector<MapSpecification>& maps) {
  return may_have_long_jumps(function) ? write(with_jumps_in_reach(function), maps)
                                       : write(function, maps);
}

}  // namespace kinst::bpf
