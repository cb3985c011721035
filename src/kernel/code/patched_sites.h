// Places in the kernel's text that the kernel itself rewrites or looks up while it
// runs, and where it therefore refuses kprobes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/memory/address_range.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// Addresses of instructions.
struct PatchedSites {
  /// Static keys: switched between a nop and a jump.
  std::vector<KernelAddress> jump_labels;
  /// Calls, jumps or nops whose target is switched.
  std::vector<KernelAddress> static_calls;
  /// Where WARN and BUG trap.
  std::vector<KernelAddress> bugs;
};

/// A table of the kernel and where it was read from; its entries hold addresses
/// relative to their own place.
struct TableImage {
  std::span<const std::byte> bytes;
  KernelAddress address{};
};

/// The code addresses of a table whose entries of `entry_bytes` begin with a signed
/// 32-bit distance from the entry to the code; in the order of the table.
std::vector<KernelAddress> relative_addresses(TableImage table,
                                              std::size_t entry_bytes);

/// The entry size of a bug table, which depends on the kernel's configuration. It is
/// the size with which the first entries point into the text between `begin` and `end`;
/// 0 if no size does.
std::size_t bug_entry_bytes(TableImage table, KernelAddress begin, KernelAddress end);

/// The sites in `range`, each list ascending. `all` is not sorted: the kernel has tens
/// of thousands of sites, and sorting them took a third of a short run.
PatchedSites sites_within(const PatchedSites& all, AddressRange range);

/// All sites of the kernel image, in no order.
/// Errors: memory that cannot be read. A kernel without such a table has no such sites.
/// Source: kernel/jump_label.c, kernel/static_call_inline.c, lib/bug.c; on every
/// machine with relative tables (HAVE_ARCH_JUMP_LABEL_RELATIVE,
/// GENERIC_BUG_RELATIVE_POINTERS).
Result<PatchedSites> read_patched_sites(const Memory& memory, const Symbols& symbols);

/// Adds the sites of the loaded modules. This needs the kernel's type information,
/// which is large, so it is done only when a module is looked at. Without BTF the sites
/// of modules stay unknown.
/// Errors: memory that cannot be read.
Result<void> add_module_sites(const Memory& memory, const Symbols& symbols,
                              PatchedSites& sites);

}  // namespace kinst::kernel
