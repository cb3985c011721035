// Counts along the control flow of a function: which block follows which, how often
// each edge was taken, and whether what comes in goes out.
//
// The function may be in several parts (its `.cold` half is one); their instructions
// stand one part after the other, and are meant by their number.
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

/// What probes counted, by the instruction's address; what was never executed is
/// absent.
struct Counts {
  std::map<KernelAddress, std::uint64_t> executed;
  /// Of conditional jumps: how often they jumped.
  std::map<KernelAddress, std::uint64_t> taken;
  /// Of indirect jumps and calls: how often they went where.
  std::map<KernelAddress, std::map<KernelAddress, std::uint64_t>> targets;
};

/// An instruction with what decides how its count comes about.
struct FlowInstruction {
  const isa::Instruction* instruction = nullptr;
  bool is_counted = true;       ///< a probe was there
  bool is_end_of_part = false;  ///< the next one is of another part
};

enum class EdgeKind : std::uint8_t {
  Next,      ///< to the instruction behind it: a branch not taken, or none at all
  Taken,     ///< a conditional jump
  Jump,      ///< one that always jumps
  Indirect,  ///< an indirect jump, one edge for each target that was seen
  Return,
};

struct Edge {
  EdgeKind kind = EdgeKind::Next;
  std::size_t from = 0;
  std::optional<std::size_t> to = std::nullopt;  ///< nothing: out of the function
  KernelAddress target{};  ///< 0 of returns and of the function's end
  Count count = {};

  bool operator==(const Edge&) const = default;
};

/// Instructions that only run one after the other.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;

  bool operator==(const Block&) const = default;
};

/// A place where more came in than went on, or less.
struct Difference {
  enum class Place : std::uint8_t {
    BehindCall,  ///< of executions of the call, `at` came back from
    FarJump,     ///< an indirect jump whose targets do not make up its count
    Between,     ///< between the instructions before and `at`
  };
  Place place = Place::Between;
  std::size_t at =
      0;  ///< the instruction; of BehindCall and FarJump the call, the jump
  /// Positive: so many came in and did not go on; negative: so many went on that had
  /// not come in.
  std::int64_t amount = 0;

  bool operator==(const Difference&) const = default;
};

struct Flow {
  std::vector<Count> executed;  ///< by instruction
  std::vector<Count> taken;   ///< by instruction; unknown where nothing is conditional
  std::vector<Block> blocks;  ///< in address order within each part
  std::vector<std::size_t> block_of;
  /// From each block to others and to the outside, and every other jump.
  std::vector<Edge> edges;
  std::vector<Difference> differences;
  /// How often the function was entered at its first instruction.
  Count entered;
  Count returned;
  /// Left by a jump: a tail call, or into what is not among the parts.
  Count jumped_out;
  /// Sums of the differences: came in and is still inside or never came out; was inside
  /// when counting began, or came in somewhere else.
  std::uint64_t kept_inside = 0;
  std::uint64_t came_from_inside = 0;

  /// entered + came_from_inside == returned + jumped_out + kept_inside, all known.
  [[nodiscard]] bool adds_up() const;
};

/// Derives what was not counted, and compares what goes into each instruction with what
/// the instruction counts. The first instruction is the function's entry.
Flow follow_flow(std::span<const FlowInstruction> instructions, const Counts& counts);

}  // namespace kinst::listing
