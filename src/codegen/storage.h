// Where a program's data lies: variables, records, keys, strings and aggregations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bpf/program.h"
#include "codegen/enabling.h"
#include "codegen/operand_shape.h"
#include "codegen/platform.h"
#include "d/builtin.h"
#include "provider/probe.h"
#include "record/layout.h"
#include "runtime/abi.h"
#include "types/type.h"

namespace kinst::codegen {

/// In the map of globals, shared by all CPUs.
struct GlobalPlace {
  std::uint32_t offset = 0;
};
/// In this CPU's state: this-> variables.
struct StatePlace {
  std::uint32_t offset = 0;
};
/// In a hash map of dynamic variables: self-> variables and associative arrays.
///
///     key   | variable u32 | 0 u32 | thread u64 (self-> only) | keys, 8-aligned |
///     value | the variable, 8-aligned |
struct DynamicPlace {
  bpf::MapId map{};
  std::uint32_t key_bytes = 0;
  std::uint32_t value_bytes = 0;
};
using VariablePlace = std::variant<GlobalPlace, StatePlace, DynamicPlace>;

/// An aggregation has a map of its own, with its keys, or without keys one element. Of
/// many aggregations, those of the same sizes share a map. Values are each CPU's own,
/// but where is_one_value() (codegen/sizes.h).
///
///     key   | aggregation u64 | keys |
struct AggregationPlace {
  bpf::MapId map{};
  bool is_shared = false;
};
/// What stands before the keys in a shared map.
constexpr std::uint32_t aggregation_number_bytes = 8;

/// A row of the map of probes: offsets of the names in the map of constants.
struct ProbeRow {
  std::uint32_t id = 0;
  std::uint32_t provider = 0;
  std::uint32_t module = 0;
  std::uint32_t function = 0;
  std::uint32_t name = 0;
  std::uint32_t instruction = 0;
  std::uint32_t mnemonic = 0;

  bool operator==(const ProbeRow&) const = default;
};

/// A row of the map of breakpoints at functions' ends.
struct BreakpointRow {
  std::uint64_t probe = 0;       ///< the key
  std::uint64_t has_result = 0;  ///< as in provider::FunctionBreakpoint

  bool operator==(const BreakpointRow&) const = default;
};

/// Sizes that options set, in bytes unless said otherwise.
struct StorageOptions {
  std::uint32_t string_size = 256;
  std::uint64_t buffer_size = 4U << 20U;             ///< the ring buffer
  std::uint64_t dynamic_variables_size = 1U << 20U;  ///< dynvarsize
  std::uint64_t aggregations_size = 4U << 20U;       ///< aggsize
  std::uint64_t scratch_size = KINST_SCRATCH_BYTES;
  std::uint32_t speculations = 1;               ///< nspec, a number
  std::uint64_t speculation_size = 32U << 10U;  ///< specsize
};

/// All places of one program, and the maps they are in. Made before any code.
struct Storage {
  // Maps every program has; numbers in ObjectSpecification::maps.
  bpf::MapId state{};
  bpf::MapId scratch{};
  bpf::MapId control{};
  bpf::MapId records{};
  bpf::MapId globals{};
  bpf::MapId constants{};
  bpf::MapId speculations{};
  /// ProbeRow by probe key, where a program computes with its probe's names; filled by
  /// the session before anything is attached.
  std::optional<bpf::MapId> probes;
  /// What goes into it, by key.
  std::vector<std::pair<std::uint64_t, ProbeRow>> probe_rows;
  /// OperandRow by probe key, where a program serves instructions whose operands it
  /// computes; filled likewise.
  std::optional<bpf::MapId> operands;
  /// BreakpointRow by address, where functions' ends are traced by breakpoints; filled
  /// likewise.
  std::optional<bpf::MapId> breakpoints;

  bool has_unwind_tables = false;  ///< kinst_user_stack() may be called
  StorageOptions options;
  std::uint32_t globals_bytes = 0;
  bool points_to_scratch = false;  ///< the program has pointers into the scratch
  std::uint32_t state_bytes = 0;
  std::uint32_t speculation_offset = 0;  ///< in state: u32, the clause's speculation
  std::uint32_t name_offset = 0;         ///< in state: 16 bytes for execname
  std::uint32_t record_offset = 0;       ///< in state: the record being made
  std::uint32_t key_offset = 0;          ///< in state: the key being made, and before
                                         ///< it aggregation_number_bytes
  std::uint32_t this_offset = 0;         ///< in state: first of the this-> variables
  std::uint32_t this_bytes = 0;

  std::vector<VariablePlace> variables;        ///< by VariableId
  std::vector<AggregationPlace> aggregations;  ///< by AggregationId
  std::vector<record::Layout> records_of_clauses;
  std::vector<record::Aggregation> aggregation_layouts;

  /// Offsets in the map of constants. It begins with zeros, as many as the largest
  /// value of any map, so that offset 0 is the empty string, too.
  std::map<std::string, std::uint32_t, std::less<>> strings;
};

/// Bytes that a value of the type takes in a variable, a key or a record: its size;
/// integers and pointers at least one byte.
std::uint32_t stored_bytes(const types::TypeTable& types, types::TypeId type);

/// Lays out everything and adds the maps to `object`.
Storage make_storage(const Enabling& enabling, const StorageOptions& options,
                     bpf::ObjectSpecification& object);

/// The text of a built-in that names the probe or its instruction: probename, insn, ….
std::string probe_text(const provider::Probe& probe, d::Builtin builtin,
                       const Platform& platform);

/// The rows for Storage::operands.
std::vector<std::pair<std::uint64_t, OperandRow>> operand_rows(
    std::span<const provider::Probe> probes);

/// The rows for Storage::breakpoints.
std::vector<std::pair<std::uint64_t, BreakpointRow>> breakpoint_rows(
    std::span<const provider::Probe> probes);

}  // namespace kinst::codegen
