#include "kernel/code/patched_sites.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "kernel/memory/loaded_modules.h"
#include "kernel/memory/struct_layout.h"

namespace kinst::kernel {
namespace {

// struct jump_entry: s32 code, s32 target, long key. struct static_call_site: s32 addr,
// s32 key.
constexpr std::size_t jump_entry_bytes = 16;
constexpr std::size_t static_call_bytes = 8;

struct SiteTable {
  KernelAddress address{};
  std::uint64_t size_bytes = 0;
};

Result<void> append(const Memory& memory, SiteTable table, std::size_t entry_bytes,
                    std::vector<KernelAddress>& out) {
  if (entry_bytes == 0 || table.size_bytes == 0) {
    return {};
  }
  const auto bytes = KINST_TRY(memory.bytes(table.address, table.size_bytes));
  std::ranges::copy(
      relative_addresses({.bytes = bytes, .address = table.address}, entry_bytes),
      std::back_inserter(out));
  return {};
}

// Between two symbols of the kernel image; empty when it does not have them.
SiteTable between(const Symbols& symbols, std::string_view begin,
                  std::string_view end) {
  const std::optional<KernelAddress> first = symbols.address_of(begin);
  const std::optional<KernelAddress> last = symbols.address_of(end);
  if (!first || !last || *last < *first) {
    return {};
  }
  return {.address = *first, .size_bytes = number(*last - *first)};
}

SiteTable bug_table(const Symbols& symbols) {
  return between(symbols, "__start___bug_table", "__stop___bug_table");
}

std::vector<KernelAddress> within(const std::vector<KernelAddress>& all,
                                  AddressRange range) {
  std::vector<KernelAddress> out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&](KernelAddress one) { return range.contains(one); });
  std::ranges::sort(out);
  return out;
}

// Modules are compiled like the image, so its table tells the size of an entry.
Result<std::size_t> image_bug_entry_bytes(const Memory& memory, const Symbols& symbols,
                                          SiteTable table) {
  const std::optional<KernelAddress> begin = symbols.address_of("_stext");
  const std::optional<KernelAddress> end = symbols.address_of("_einittext");
  if (!begin || !end) {
    return std::size_t{0};
  }
  const auto first = KINST_TRY(
      memory.bytes(table.address, std::min<std::uint64_t>(table.size_bytes, 256)));
  return bug_entry_bytes({.bytes = first, .address = table.address}, *begin, *end);
}

// A pointer and a number of entries in struct module, if this kernel has them.
Result<SiteTable> module_table(const Memory& memory, KernelAddress module,
                               const StructLayout& layout,
                               std::pair<std::string_view, std::string_view> members,
                               std::size_t entry_bytes) {
  const auto table = layout.offset(members.first);
  const auto count = layout.offset(members.second);
  if (!table || !count) {
    return SiteTable{};
  }
  const auto address =
      KINST_TRY(read_value<KernelAddress>(memory, module + FunctionOffset{*table}));
  const auto entries =
      KINST_TRY(read_value<std::uint32_t>(memory, module + FunctionOffset{*count}));
  return SiteTable{.address = address,
                   .size_bytes = std::uint64_t{entries} * entry_bytes};
}

struct ModuleTable {
  std::pair<std::string_view, std::string_view> members;
  std::size_t entry_bytes = 0;
  std::vector<KernelAddress>* out = nullptr;
};

Result<void> append_module(const Memory& memory, KernelAddress module,
                           const StructLayout& layout,
                           std::span<const ModuleTable> tables) {
  for (const ModuleTable& one : tables) {
    const SiteTable table =
        KINST_TRY(module_table(memory, module, layout, one.members, one.entry_bytes));
    KINST_CHECK(append(memory, table, one.entry_bytes, *one.out));
  }
  return {};
}

// Without BTF the sites of modules stay unknown.
Result<void> append_modules(const Memory& memory, const Symbols& symbols,
                            std::span<const ModuleTable> tables) {
  const std::optional<KernelAddress> head = symbols.address_of("modules");
  const auto modules =
      head ? read_loaded_modules(memory, *head) : Result<LoadedModules>();
  if (!modules) {
    return {};
  }
  for (const KernelAddress module : modules->structs) {
    KINST_CHECK(append_module(memory, module, modules->layout, tables));
  }
  return {};
}

}  // namespace

std::vector<KernelAddress> relative_addresses(TableImage table,
                                              std::size_t entry_bytes) {
  std::vector<KernelAddress> out;
  out.reserve(table.bytes.size() / entry_bytes);
  for (std::size_t at = 0; at + entry_bytes <= table.bytes.size(); at += entry_bytes) {
    std::int32_t distance = 0;
    std::memcpy(&distance, table.bytes.data() + at, sizeof(distance));
    out.push_back(KernelAddress{number(table.address) + at +
                                static_cast<std::uint64_t>(std::int64_t{distance})});
  }
  return out;
}

// struct bug_entry: s32 address, then s32 file, u16 line and u16 flags; without
// CONFIG_DEBUG_BUGVERBOSE only the flags, padded; newer kernels add a format.
std::size_t bug_entry_bytes(TableImage table, KernelAddress begin, KernelAddress end) {
  // The smallest comes first, as a table of small entries read in larger steps would
  // point into text as well.
  for (const std::size_t candidate : {8, 12, 16}) {
    const std::vector<KernelAddress> code = relative_addresses(table, candidate);
    if (!code.empty() && std::ranges::all_of(code, [&](KernelAddress one) {
          return begin <= one && one < end;
        })) {
      return candidate;
    }
  }
  return 0;
}

PatchedSites sites_within(const PatchedSites& all, AddressRange range) {
  return {.jump_labels = within(all.jump_labels, range),
          .static_calls = within(all.static_calls, range),
          .bugs = within(all.bugs, range)};
}

Result<PatchedSites> read_patched_sites(const Memory& memory, const Symbols& symbols) {
  const SiteTable jumps =
      between(symbols, "__start___jump_table", "__stop___jump_table");
  const SiteTable calls =
      between(symbols, "__start_static_call_sites", "__stop_static_call_sites");
  const SiteTable bugs = bug_table(symbols);
  PatchedSites out;
  KINST_CHECK(append(memory, jumps, jump_entry_bytes, out.jump_labels));
  KINST_CHECK(append(memory, calls, static_call_bytes, out.static_calls));
  KINST_CHECK(append(
      memory, bugs, KINST_TRY(image_bug_entry_bytes(memory, symbols, bugs)), out.bugs));
  return out;
}

Result<void> add_module_sites(const Memory& memory, const Symbols& symbols,
                              PatchedSites& sites) {
  const std::array<ModuleTable, 3> tables = {{
      {.members = {"jump_entries", "num_jump_entries"},
       .entry_bytes = jump_entry_bytes,
       .out = &sites.jump_labels},
      {.members = {"static_call_sites", "num_static_call_sites"},
       .entry_bytes = static_call_bytes,
       .out = &sites.static_calls},
      {.members = {"bug_table", "num_bugs"},
       .entry_bytes =
           KINST_TRY(image_bug_entry_bytes(memory, symbols, bug_table(symbols))),
       .out = &sites.bugs},
  }};
  return append_modules(memory, symbols, tables);
}

}  // namespace kinst::kernel
