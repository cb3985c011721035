// Counts along the control flow of a function: which block follows which, how often
// each edge was taken, and whether as much leaves each block as enters it.
//
// The function may have several parts, such as its `.cold` part. Their instructions
// follow one another, part by part, and are named by their index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/address.h"
#include "isa/instruction.h"

namespace kinst::listing {

enum class Certainty : std::uint8_t {
  Unknown,
  Counted,  ///< by a probe
  Derived,  ///< from counts of the instructions around
};

struct Count {
  std::uint64_t value = 0;
  Certainty certainty = Certainty::Unknown;

  [[nodiscard]] bool is_known() const { return certainty != Certainty::Unknown; }
  bool operator==(const Count&) const = default;
};

/// The counts of probes, by the instruction's address. An instruction that was never
/// executed is absent.
struct Counts {
  std::map<KernelAddress, std::uint64_t> executed;
  /// For conditional jumps: how often they jumped.
  std::map<KernelAddress, std::uint64_t> taken;
  /// For indirect jumps and calls: how often they went to each target.
  std::map<KernelAddress, std::map<KernelAddress, std::uint64_t>> targets;
};

/// An instruction, and what decides how its count is found.
struct FlowInstruction {
  const isa::Instruction* instruction = nullptr;
  bool is_counted = true;       ///< a probe was there
  bool is_end_of_part = false;  ///< the next one is of another part
};

enum class EdgeKind : std::uint8_t {
  Next,      ///< to the next instruction: by a branch not taken, or without one
  Taken,     ///< a conditional jump
  Jump,      ///< an unconditional direct jump
  Indirect,  ///< an indirect jump, one edge for each target that was seen
  Return,
};

struct Edge {
  EdgeKind kind = EdgeKind::Next;
  std::size_t from = 0;
  std::optional<std::size_t> to = std::nullopt;  ///< nothing: out of the function
  KernelAddress target{};  ///< 0 for returns and at the function's end
  Count count = {};

  bool operator==(const Edge&) const = default;
};

/// Instructions that are always executed one after the other.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;

  bool operator==(const Block&) const = default;
};

/// A place where the counts of what came in and what went on differ.
struct Difference {
  enum class Place : std::uint8_t {
    BehindCall,  ///< of executions of the call, `at` came back from
    FarJump,     ///< an indirect jump whose targets do not make up its count
    Between,     ///< between the instructions before and `at`
  };
  Place place = Place::Between;
  std::size_t at =
      0;  ///< the instruction; of BehindCall and FarJump the call, the jump
  /// Positive: so many came in and did not go on. Negative: so many went on without
  /// having come in.
  std::int64_t amount = 0;

  bool operator==(const Difference&) const = default;
};

struct Flow {
  std::vector<Count> executed;  ///< by instruction
  std::vector<Count> taken;   ///< by instruction; unknown where nothing is conditional
  std::vector<Block> blocks;  ///< in address order within each part
  std::vector<std::size_t> block_of;
  /// The edges from each block to others and out of the function, and all other jumps.
  std::vector<Edge> edges;
  std::vector<Difference> differences;
  /// How often the function was entered at its first instruction.
  Count entered;
  Count returned;
  /// How often the function was left by a jump: a tail call, or a jump to code that is
  /// not among the parts.
  Count jumped_out;
  /// Sums of the differences. kept_inside: came in, and is still inside or never came
  /// out. came_from_inside: was inside when counting began, or came in somewhere else.
  std::uint64_t kept_inside = 0;
  std::uint64_t came_from_inside = 0;

  /// entered + came_from_inside == returned + jumped_out + kept_inside, all known.
  [[nodiscard]] bool adds_up() const;
};

/// Derives the counts of instructions that were not counted, and compares what goes
/// into each instruction with its count. The first instruction is the function's entry.
Flow follow_flow(std::span<const FlowInstruction> instructions, const Counts& counts);

}  // namespace kinst::listing
