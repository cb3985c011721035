// The places of a program's data: variables, records, keys, strings and aggregations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bpf/code/program.h"
#include "codegen/plan/enabled_program.h"
#include "codegen/plan/needs.h"
#include "codegen/plan/operand_shape.h"
#include "codegen/plan/platform.h"
#include "provider/probe.h"
#include "record/layout.h"
#include "record/meaning.h"
#include "runtime/abi.h"
#include "types/type.h"

namespace kinst::codegen {

/// The place of a global variable in the map of globals, which all CPUs share.
struct GlobalPlace {
  std::uint32_t offset = 0;
};
/// The place of a this-> variable in this CPU's state.
struct StatePlace {
  std::uint32_t offset = 0;
};
/// The place of self-> variables and associative arrays in a hash map of dynamic
/// variables.
///
///     key   | variable u32 | 0 u32 | thread u64 (self-> only) | keys, 8-aligned |
///     value | the variable, 8-aligned |
struct DynamicPlace {
  bpf::MapId map{};
  std::uint32_t key_bytes = 0;
  std::uint32_t value_bytes = 0;
};
using VariablePlace = std::variant<GlobalPlace, StatePlace, DynamicPlace>;

/// The map of an aggregation. Each aggregation has a map of its own; if there are many,
/// aggregations of the same sizes share a map. Without keys the map has one element.
/// Each CPU has its own values, except where is_one_value() (codegen/plan/sizes.h).
///
///     key   | aggregation u64 | keys |
///
/// The aggregation's number is only in the keys of shared maps.
struct AggregationPlace {
  bpf::MapId map{};
  bool is_shared = false;
};
/// The size of the aggregation's number in the keys of a shared map.
constexpr std::uint32_t aggregation_number_bytes = 8;

/// A row of the map of probes: the offsets of the probe's names in the map of
/// constants.
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

/// A text about a probe that programs can compute with.
struct ProbeText {
  record::Meaning meaning{};
  /// The name of the probe that it is; null for what Platform::instruction_text() tells
  /// of the probe's instruction.
  std::string provider::Probe::*name = nullptr;
  std::uint32_t ProbeRow::*place = nullptr;
  std::size_t offset = 0;  ///< of the place
};

inline constexpr std::array probe_texts{
    ProbeText{record::Meaning::ProbeProvider, &provider::Probe::provider,
              &ProbeRow::provider, offsetof(ProbeRow, provider)},
    ProbeText{record::Meaning::ProbeModule, &provider::Probe::module, &ProbeRow::module,
              offsetof(ProbeRow, module)},
    ProbeText{record::Meaning::ProbeFunction, &provider::Probe::function,
              &ProbeRow::function, offsetof(ProbeRow, function)},
    ProbeText{record::Meaning::ProbeName, &provider::Probe::name, &ProbeRow::name,
              offsetof(ProbeRow, name)},
    ProbeText{record::Meaning::Instruction, nullptr, &ProbeRow::instruction,
              offsetof(ProbeRow, instruction)},
    ProbeText{record::Meaning::Mnemonic, nullptr, &ProbeRow::mnemonic,
              offsetof(ProbeRow, mnemonic)},
};

/// A row of the map of breakpoints at functions' ends.
struct BreakpointRow {
  std::uint64_t probe = 0;       ///< the probe's key
  std::uint64_t has_result = 0;  ///< as in provider::FunctionBreakpoint

  bool operator==(const BreakpointRow&) const = default;
};

/// The kernel's ring buffers have whole pages, and a power of two of them.
constexpr std::uint64_t smallest_ring_buffer = 4096;
constexpr std::uint64_t largest_ring_buffer = std::uint64_t{1} << 30U;

/// Sizes that options set, in bytes unless stated otherwise.
struct StorageOptions {
  /// bufsize. The ring buffer is as large as it, or the next size that there is.
  std::uint64_t buffer_size = 4U << 20U;
  std::uint64_t dynamic_variables_size = 1U << 20U;  ///< dynvarsize
  std::uint64_t aggregations_size = 4U << 20U;       ///< aggsize
  /// How much scratch memory there is: what d::CheckOptions holds programs to, or all.
  std::uint64_t scratch_size = KINST_SCRATCH_BYTES;
  std::uint32_t speculations = 1;              ///< nspec, a number
  std::uint64_t speculation_size = 4U << 20U;  ///< specsize

  bool operator==(const StorageOptions&) const = default;
};

/// The places of all data of a program, and the maps that hold them. Made before any
/// code is generated.
struct Storage {
  // The maps that every program has, as numbers in ObjectSpecification::maps.
  bpf::MapId state{};
  bpf::MapId scratch{};
  bpf::MapId control{};
  bpf::MapId records{};
  bpf::MapId globals{};
  bpf::MapId constants{};
  bpf::MapId speculations{};
  /// Maps a probe's key to its ProbeRow, if a program computes with its probe's names.
  /// run/enabling.cpp fills it before anything is attached.
  std::optional<bpf::MapId> probes;
  /// The contents of `probes`, by key.
  std::vector<std::pair<std::uint64_t, ProbeRow>> probe_rows;
  /// Maps a probe's key to its OperandRow, if a program serves instructions from whose
  /// operands it computes. Filled like `probes`.
  std::optional<bpf::MapId> operands;
  /// Maps an instruction's address to its BreakpointRow, if functions' ends are traced
  /// by breakpoints. Filled like `probes`.
  std::optional<bpf::MapId> breakpoints;

  bool has_unwind_tables = false;  ///< kinst_user_stack() may be called
  StorageOptions options;
  ProgramNeeds needs;  ///< of the whole program
  std::uint32_t globals_bytes = 0;
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

  /// The offset of each string in the map of constants. The map begins with as many
  /// zeros as the largest value of any map has bytes, so offset 0 is the empty string,
  /// too.
  std::map<std::string, std::uint32_t, std::less<>> strings;
};

/// The size of a value of this type in a variable, a key or a record: the type's size;
/// for integers and pointers at least one byte.
std::uint32_t stored_bytes(const types::TypeTable& types, types::TypeId type);

/// Lays out all data, and adds the maps to `object`.
Storage make_storage(const EnabledProgram& enabled, const StorageOptions& options,
                     bpf::ObjectSpecification& object);

/// The text that the probe has.
std::string text_of(const provider::Probe& probe, const ProbeText& text,
                    const Platform& platform);

/// The rows for Storage::operands.
std::vector<std::pair<std::uint64_t, OperandRow>> operand_rows(
    std::span<const provider::Probe> probes);

/// The rows for Storage::breakpoints.
std::vector<std::pair<std::uint64_t, BreakpointRow>> breakpoint_rows(
    const provider::TracedProbes& traced);

}  // namespace kinst::codegen
