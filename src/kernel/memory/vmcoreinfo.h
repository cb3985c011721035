// What the running kernel tells crash dump tools about itself, among it where its own
// symbol table is. Source: kernel/vmcore_info.c (kernel/crash_core.c before 6.9).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/address.h"
#include "base/result.h"
#include "kernel/memory/core_file.h"

namespace kinst::kernel {

/// The text of the note VMCOREINFO, lines as "SYMBOL(_stext)=ffffffff81000000".
/// Errors: unreadable; no such note (before Linux 4.19, or CONFIG_VMCORE_INFO unset).
Result<std::string> read_vmcoreinfo(const CoreFile& file);

/// The text of the note VMCOREINFO among a core file's notes; nothing if it is not
/// there.
std::optional<std::string> find_vmcoreinfo(std::span<const std::byte> notes);

/// The address that a line SYMBOL(name)= gives; nothing if there is none.
std::optional<KernelAddress> vmcoreinfo_symbol(std::string_view vmcoreinfo,
                                               std::string_view name);

}  // namespace kinst::kernel
