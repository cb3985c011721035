// Gives every variable, record, key and aggregation its place, and every map its size.
#include "codegen/plan/storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <set>
#include <utility>

#include "codegen/plan/record_layout.h"
#include "codegen/plan/sizes.h"
#include "codegen/plan/walk.h"
#include "provider/provider.h"
#include "runtime/abi.h"

namespace kinst::codegen {
namespace {

// Room for the rows of probes that appear during the run.
constexpr std::size_t most_awaited = 4096;

constexpr std::uint32_t aligned8(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + 7) / 8 * 8);
}

// The number of entries of a map that may take `bytes` in all, but at least `fewest`.
// What has no room is dropped and counted.
std::uint32_t entries(std::uint64_t bytes, std::uint64_t bytes_each,
                      std::uint64_t fewest) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(bytes / bytes_each, fewest, 1U << 20U));
}

// What the kernel adds to each element of a hash map (struct htab_elem and the address
// of the values); DTrace counts its own overhead in the same way (struct
// dtrace_aggkey). Each element also costs time when tracing starts, because its copies
// for the CPUs are allocated one by one.
constexpr std::uint64_t element_overhead = 64;

// A program with a few thread-local variables is to run with any dynvarsize.
constexpr std::uint64_t fewest_variables = 4;

// Finds the map of a dynamic variable. Variables whose keys and values have the same
// sizes share a map.
class DynamicMaps {
 public:
  DynamicMaps(const StorageOptions& options, bpf::ObjectSpecification& object)
      : options_(&options), object_(&object) {}

  DynamicPlace place(std::uint32_t key_bytes, std::uint32_t value_bytes) {
    const auto known = std::ranges::find_if(places_, [&](const DynamicPlace& one) {
      return one.key_bytes == key_bytes && one.value_bytes == value_bytes;
    });
    if (known != places_.end()) {
      return *known;
    }
    const bpf::MapId map = object_->add_map(
        {.name = fmt::format("dynamic_{}", places_.size()),
         .type = bpf::MapType::Hash,
         .key_size = key_bytes,
         .value_size = value_bytes,
         .max_entries = entries(options_->dynamic_variables_size,
                                key_bytes + value_bytes, fewest_variables),
         .flags = 0,
         .contents = {},
         .frozen = false});
    return places_.emplace_back(
        DynamicPlace{.map = map, .key_bytes = key_bytes, .value_bytes = value_bytes});
  }

 private:
  const StorageOptions* options_;
  bpf::ObjectSpecification* object_;
  std::vector<DynamicPlace> places_;
};

std::uint32_t dynamic_key_bytes(const d::typed::Variable& variable,
                                const types::TypeTable& types) {
  std::uint32_t bytes = 8;
  if (variable.scope == d::typed::VariableScope::Thread) {
    bytes += 8;
  }
  for (const types::TypeId key : variable.key_types) {
    bytes += aligned8(stored_bytes(types, key));
  }
  return bytes;
}

std::uint32_t aligned_to(std::uint32_t offset, types::TypeId type,
                         const types::TypeTable& types) {
  // Structs are copied by words.
  const bool is_record = std::holds_alternative<types::Record>(types.resolved(type));
  const auto alignment =
      is_record ? 8U : static_cast<std::uint32_t>(types.alignment_of(type).value_or(8));
  return (offset + alignment - 1) / alignment * alignment;
}

void place_variables(const d::typed::Program& program, const types::TypeTable& types,
                     bpf::ObjectSpecification& object, Storage& storage) {
  DynamicMaps dynamic(storage.options, object);
  for (const d::typed::Variable& variable : program.variables) {
    const std::uint32_t bytes = stored_bytes(types, variable.type);
    if (variable.scope == d::typed::VariableScope::Thread ||
        !variable.key_types.empty()) {
      storage.variables.emplace_back(
          dynamic.place(dynamic_key_bytes(variable, types), aligned8(bytes)));
    } else if (variable.scope == d::typed::VariableScope::Clause) {
      const std::uint32_t offset = aligned_to(storage.this_bytes, variable.type, types);
      storage.variables.emplace_back(StatePlace{storage.this_offset + offset});
      storage.this_bytes = offset + bytes;
    } else {
      const std::uint32_t offset =
          aligned_to(storage.globals_bytes, variable.type, types);
      storage.variables.emplace_back(GlobalPlace{offset});
      storage.globals_bytes = offset + bytes;
    }
  }
  storage.this_bytes = aligned8(storage.this_bytes);
  storage.globals_bytes = aligned8(storage.globals_bytes);
}

// A BPF program may use 64 maps; some of these are for other data.
constexpr std::size_t most_maps_of_aggregations = 40;

bpf::MapType aggregation_map_type(const record::Aggregation& layout,
                                  std::uint32_t key_bytes) {
  if (is_one_value(layout)) {
    return key_bytes != 0 ? bpf::MapType::Hash : bpf::MapType::Array;
  }
  return key_bytes != 0 ? bpf::MapType::PerCpuHash : bpf::MapType::PerCpuArray;
}

// key_bytes: includes the aggregation's number in a shared map.
bpf::MapSpecification aggregation_map(std::string name,
                                      const record::Aggregation& layout,
                                      std::uint32_t key_bytes,
                                      const StorageOptions& options) {
  const bool has_keys = key_bytes != 0;
  const std::uint32_t value_bytes = layout.value_words * 8;
  return {.name = std::move(name),
          .type = aggregation_map_type(layout, key_bytes),
          .key_size = has_keys ? key_bytes : 4,
          .value_size = value_bytes,
          .max_entries = has_keys
                             ? entries(options.aggregations_size,
                                       element_overhead + key_bytes + value_bytes, 1)
                             : 1,
          .flags = 0,
          .contents = {},
          .frozen = false};
}

void place_aggregations(const d::typed::Program& program, const types::TypeTable& types,
                        bpf::ObjectSpecification& object, Storage& storage) {
  const bool are_shared = program.aggregations.size() > most_maps_of_aggregations;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bpf::MapId> shared;  // by sizes
  for (std::uint32_t number = 0; number < program.aggregations.size(); ++number) {
    record::Aggregation layout = lay_out_aggregation(program, number, types);
    const std::uint32_t value_bytes = layout.value_words * 8;
    const std::uint32_t key_bytes =
        layout.key_size_bytes + (are_shared ? aggregation_number_bytes : 0);
    const auto known = shared.find({key_bytes, value_bytes});
    const bpf::MapId map =
        known != shared.end()
            ? known->second
            : object.add_map(aggregation_map(fmt::format("aggregation_{}", number),
                                             layout, key_bytes, storage.options));
    if (are_shared) {
      shared.emplace(std::pair(key_bytes, value_bytes), map);
    }
    storage.aggregations.push_back({.map = map, .is_shared = are_shared});
    storage.aggregation_layouts.push_back(std::move(layout));
  }
}

std::uint32_t largest_key(const Storage& storage) {
  std::uint32_t bytes = 8;
  for (const VariablePlace& place : storage.variables) {
    if (const auto* dynamic = std::get_if<DynamicPlace>(&place)) {
      bytes = std::max(bytes, dynamic->key_bytes);
    }
  }
  for (const record::Aggregation& layout : storage.aggregation_layouts) {
    bytes = std::max(bytes, layout.key_size_bytes);
  }
  return bytes;
}

std::uint32_t string_bytes(const types::TypeTable& types) {
  return static_cast<std::uint32_t>(*types.size_of(types.string_type()));
}

std::uint32_t largest_value(const Storage& storage, const types::TypeTable& types) {
  std::uint32_t bytes = string_bytes(types);
  for (const VariablePlace& place : storage.variables) {
    if (const auto* dynamic = std::get_if<DynamicPlace>(&place)) {
      bytes = std::max(bytes, dynamic->value_bytes);
    }
  }
  for (const record::Aggregation& layout : storage.aggregation_layouts) {
    bytes = std::max(bytes, layout.value_words * 8);
  }
  return bytes;
}

// The initial bytes of the CPUs' states.
std::vector<std::byte> initial_states(const Storage& storage,
                                      const EnabledProgram& enabled) {
  kinst_state head{};
  head.scratch_limit =
      std::min<std::uint64_t>(storage.options.scratch_size, KINST_SCRATCH_BYTES);
  head.string_size = string_bytes(enabled.types);
  const std::uint32_t cpus = enabled.platform.cpus;
  std::vector<std::byte> all(std::size_t{storage.state_bytes} * cpus);
  for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
    std::memcpy(all.data() + std::size_t{storage.state_bytes} * cpu, &head,
                sizeof head);
  }
  return all;
}

bpf::MapSpecification array_map(const char* name, std::uint32_t value_bytes,
                                std::uint32_t elements, std::uint32_t flags) {
  return {.name = name,
          .type = bpf::MapType::Array,
          .key_size = 4,
          .value_size = value_bytes,
          .max_entries = elements,
          .flags = flags,
          .contents = {},
          .frozen = false};
}

std::uint32_t ring_bytes(std::uint64_t wanted) {
  return static_cast<std::uint32_t>(
      std::bit_ceil(std::clamp(wanted, smallest_ring_buffer, largest_ring_buffer)));
}

// Whether the clause records data at its probes, so that many records may come at once.
bool records_data(const record::Layout& layout) {
  using record::ActionKind;
  constexpr std::array rare = {ActionKind::Exit,      ActionKind::Printa,
                               ActionKind::Clear,     ActionKind::Trunc,
                               ActionKind::Normalize, ActionKind::Denormalize};
  return layout.is_default ||
         std::ranges::any_of(layout.actions, [&](const record::Action& action) {
           return std::ranges::find(rare, action.kind) == rare.end();
         });
}

// The size of the buffer for records. A program that only aggregates gets a small
// buffer, because allocating and freeing megabytes takes longer than attaching a probe.
std::uint64_t records_bytes(const Storage& storage) {
  constexpr std::uint64_t enough_without_data = std::uint64_t{64} << 10U;
  return std::ranges::any_of(storage.records_of_clauses, records_data)
             ? storage.options.buffer_size
             : std::min(storage.options.buffer_size, enough_without_data);
}

bpf::MapSpecification rows_map(const char* name, std::uint32_t value_bytes,
                               std::uint32_t rows) {
  return {.name = name,
          .type = bpf::MapType::Hash,
          .key_size = 8,
          .value_size = value_bytes,
          .max_entries = rows,
          .flags = 0,
          .contents = {},
          .frozen = false};
}

// An array with these elements and room for more, which this process can map into its
// memory.
template <typename Element>
bpf::MapSpecification filled_map(const char* name, std::span<const Element> elements,
                                 std::size_t spare) {
  auto map =
      array_map(name, sizeof(Element),
                static_cast<std::uint32_t>(elements.size() + spare), BPF_F_MMAPABLE);
  const auto bytes = std::as_bytes(elements);
  map.contents.assign(bytes.begin(), bytes.end());
  return map;
}

// Adds the maps of unwind tables. They have room for more, because processes load
// libraries while they run.
void add_unwind_tables(const UnwindTables& tables, bpf::ObjectSpecification& object) {
  constexpr std::size_t more_ranges = 512;
  constexpr std::size_t more_rows = std::size_t{64} << 10U;
  object.add_map(filled_map("unwinding", std::span(&tables.settings, 1), 0));
  object.add_map(filled_map("unwind_ranges", std::span(tables.ranges), more_ranges));
  object.add_map(filled_map("unwind_rows", std::span(tables.rows),
                            std::max(tables.rows.size(), more_rows)));
}

// Assigns each string a place among the constants.
class StringCollector {
 public:
  explicit StringCollector(Storage& storage, std::uint32_t begin)
      : storage_(&storage), next_(begin) {}

  void add(const std::string& text) {
    if (text.empty() || storage_->strings.contains(text)) {
      return;
    }
    storage_->strings.emplace(text, next_);
    next_ += static_cast<std::uint32_t>(text.size()) + 1;
  }
  [[nodiscard]] std::uint32_t bytes() const { return next_; }

 private:
  Storage* storage_;
  std::uint32_t next_;
};

// Adds all strings that the code will refer to. Returns whether the program computes
// with its probe's names or number.
bool collect_strings(const EnabledProgram& enabled, StringCollector& collector) {
  std::set<record::Meaning> used;
  for (const d::typed::Clause& clause : enabled.program.clauses) {
    for_each_expression(clause, [&](const d::typed::Expression& expression) {
      if (const auto* text = std::get_if<d::typed::StringValue>(&expression.node)) {
        collector.add(text->text);
      } else if (const auto* builtin =
                     std::get_if<d::typed::BuiltinValue>(&expression.node)) {
        used.insert(d::builtin_info(builtin->builtin).meaning);
      }
    });
  }
  bool uses_texts = false;
  for (const ProbeText& text : probe_texts) {
    if (!used.contains(text.meaning)) {
      continue;
    }
    uses_texts = true;
    for (const provider::Probe& probe : enabled.probes) {
      collector.add(text_of(probe, text, enabled.platform));
    }
  }
  return uses_texts || used.contains(record::Meaning::ProbeId);
}

// The rows for Storage::probes, for the probes told apart by their keys.
std::vector<std::pair<std::uint64_t, ProbeRow>> make_probe_rows(
    const EnabledProgram& enabled, const Storage& storage) {
  std::vector<std::pair<std::uint64_t, ProbeRow>> rows;
  for (const provider::Probe& probe : enabled.probes) {
    ProbeRow row{.id = probe.id};
    for (const ProbeText& text : probe_texts) {
      const auto place = storage.strings.find(text_of(probe, text, enabled.platform));
      if (place != storage.strings.end()) {
        row.*text.place = place->second;
      }
    }
    rows.emplace_back(probe.key, row);
  }
  return rows;
}

// Lays out each CPU's state: its head, then the data that the emitter reaches most
// often. Adds the maps of the data outside the state.
void lay_out_state(const EnabledProgram& enabled, bpf::ObjectSpecification& object,
                   Storage& storage) {
  const d::typed::Program& program = enabled.program;
  storage.speculation_offset = sizeof(kinst_state);
  storage.name_offset = storage.speculation_offset + 8;
  storage.this_offset = storage.name_offset + 16;
  place_variables(program, enabled.types, object, storage);
  place_aggregations(program, enabled.types, object, storage);
  storage.key_offset =
      storage.this_offset + storage.this_bytes + aggregation_number_bytes;
  storage.record_offset = storage.key_offset + aligned8(largest_key(storage));
  std::uint32_t record_bytes = sizeof(kinst_error_record);
  for (std::uint32_t clause = 0; clause < program.clauses.size(); ++clause) {
    storage.records_of_clauses.push_back(
        lay_out_record(program.clauses[clause], clause, enabled.types));
    record_bytes = std::max(record_bytes, storage.records_of_clauses.back().size_bytes);
  }
  storage.state_bytes = aligned8(storage.record_offset + record_bytes);
}

// The maps that every program has, the constants apart.
void add_shared_maps(const EnabledProgram& enabled, bpf::ObjectSpecification& object,
                     Storage& storage) {
  const std::uint32_t cpus = enabled.platform.cpus;
  auto state = array_map("state", storage.state_bytes, cpus, BPF_F_MMAPABLE);
  state.contents = initial_states(storage, enabled);
  storage.state = object.add_map(std::move(state));
  storage.scratch =
      object.add_map(array_map("scratch", KINST_SCRATCH_ELEMENT_BYTES, cpus, 0));
  storage.control =
      object.add_map(array_map("control", sizeof(kinst_control), 1, BPF_F_MMAPABLE));
  storage.records = object.add_map({.name = "records",
                                    .type = bpf::MapType::RingBuffer,
                                    .key_size = 0,
                                    .value_size = 0,
                                    .max_entries = ring_bytes(records_bytes(storage)),
                                    .flags = 0,
                                    .contents = {},
                                    .frozen = false});
  storage.globals =
      object.add_map(array_map("globals", std::max(storage.globals_bytes, 8U), 1, 0));
  storage.speculations = object.add_map(
      array_map("speculations", 8, std::max(storage.options.speculations, 1U), 0));
}

// The map of constants, with room for the names of probes that appear during the run if
// the program needs these.
bpf::MapSpecification constants_map(const Storage& storage, std::uint32_t bytes,
                                    bool awaits_names) {
  constexpr std::uint32_t room_for_names = 64U << 10U;
  auto constants = array_map("constants", bytes + (awaits_names ? room_for_names : 0),
                             1, BPF_F_RDONLY_PROG);
  constants.contents.resize(bytes);
  for (const auto& [text, offset] : storage.strings) {
    std::memcpy(constants.contents.data() + offset, text.data(), text.size());
  }
  constants.frozen = !awaits_names;
  return constants;
}

// Whether the probe is a placeholder for probes of a module, whose addresses will be
// known later.
bool gets_address_later(const provider::Probe& probe) {
  return provider::comes_with_module(probe) && provider::is_awaited(probe);
}

}  // namespace

std::uint32_t stored_bytes(const types::TypeTable& types, types::TypeId type) {
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(types.size_of(type).value_or(8), 1));
}

std::string text_of(const provider::Probe& probe, const ProbeText& text,
                    const Platform& platform) {
  if (text.name != nullptr) {
    return probe.*text.name;
  }
  return platform.instruction_text ? platform.instruction_text(probe, text.meaning)
                                   : std::string();
}

Storage make_storage(const EnabledProgram& enabled, const StorageOptions& options,
                     bpf::ObjectSpecification& object) {
  Storage storage;
  storage.options = options;
  storage.needs = needs_of(enabled.program);
  lay_out_state(enabled, object, storage);
  StringCollector collector(storage, aligned8(largest_value(storage, enabled.types)));
  const bool has_rows = collect_strings(enabled, collector);
  add_shared_maps(enabled, object, storage);
  const bool awaits_more = std::ranges::any_of(enabled.probes, provider::is_awaited);
  storage.constants = object.add_map(
      constants_map(storage, collector.bytes(), has_rows && awaits_more));
  const auto count = static_cast<std::uint32_t>(enabled.probes.size() +
                                                (awaits_more ? most_awaited : 0));
  if (has_rows) {
    storage.probe_rows = make_probe_rows(enabled, storage);
    storage.probes = object.add_map(rows_map("probes", sizeof(ProbeRow), count));
  }
  if (!enabled.platform.unwinding.ranges.empty()) {
    storage.has_unwind_tables = true;
    add_unwind_tables(enabled.platform.unwinding, object);
  }
  if (storage.needs.has(d::Need::Operands)) {
    storage.operands = object.add_map(rows_map("operands", sizeof(OperandRow), count));
  }
  const std::size_t breakpoints =
      breakpoint_rows({enabled.probes, enabled.tracing}).size() +
      (std::ranges::any_of(enabled.probes, gets_address_later) ? most_awaited : 0);
  if (breakpoints != 0) {
    storage.breakpoints = object.add_map(rows_map(
        "breakpoints", sizeof(BreakpointRow), static_cast<std::uint32_t>(breakpoints)));
  }
  return storage;
}

std::vector<std::pair<std::uint64_t, OperandRow>> operand_rows(
    std::span<const provider::Probe> probes) {
  std::vector<std::pair<std::uint64_t, OperandRow>> rows;
  for (const provider::Probe& probe : probes) {
    if (const auto* site = std::get_if<provider::KernelInstruction>(&probe.site)) {
      rows.emplace_back(probe.key, operand_row(site->instruction));
    }
  }
  return rows;
}

std::vector<std::pair<std::uint64_t, BreakpointRow>> breakpoint_rows(
    const provider::TracedProbes& traced) {
  std::vector<std::pair<std::uint64_t, BreakpointRow>> rows;
  for (std::size_t index = 0; index < traced.probes.size(); ++index) {
    const auto* by = std::get_if<provider::ByBreakpoints>(&traced.tracing[index]);
    if (by == nullptr) {
      continue;
    }
    for (const provider::FunctionBreakpoint& one : by->breakpoints) {
      rows.emplace_back(number(one.address),
                        BreakpointRow{.probe = traced.probes[index].key,
                                      .has_result = one.has_result ? 1U : 0U});
    }
  }
  return rows;
}

}  // namespace kinst::codegen
