// Kprobes that are in the kernel's text now, whoever put them there, and the bytes that
// they replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/isa.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// One kprobe and what stood in its place.
struct LiveProbe {
  KernelAddress address{};
  /// The bytes that a breakpoint replaced.
  std::vector<std::byte> opcode;
  /// What follows them, where an optimized probe's jump has replaced that as well.
  std::vector<std::byte> behind;
  /// It uses the function tracer's call instead; opcode means nothing then.
  bool uses_function_tracer = false;

  bool operator==(const LiveProbe&) const = default;
};

/// Every registered kprobe, from the kernel's own table. Without BTF, struct kprobe is
/// assumed to have the layout that known kernels of the machine have
/// (Isa::kprobe_layout), and only kprobes that have changed the text are returned.
/// Errors: memory that cannot be read.
/// Source: kernel/kprobes.c, kprobe_table; on x86 arch/x86/kernel/kprobes/core.c,
/// __recover_probed_insn, and opt.c, __recover_optprobed_insn.
Result<std::vector<LiveProbe>> read_live_probes(const Memory& memory,
                                                const Symbols& symbols,
                                                const isa::Isa& isa);

/// Puts the replaced bytes back into a copy of the text from `address` on. A probe that
/// is registered but not in the text changes nothing.
void restore_probed_text(std::span<std::byte> text, KernelAddress address,
                         std::span<const LiveProbe> probes, const isa::Isa& isa);

}  // namespace kinst::kernel
