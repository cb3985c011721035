// Kprobes that are in the kernel's text now, whoever put them there, and the bytes that
// they replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// One kprobe and what stood in its place.
struct LiveProbe {
  KernelAddress address{};
  /// The first byte that a breakpoint replaced.
  std::byte opcode{};
  /// What follows it, where an optimized probe's jump has replaced that as well.
  std::vector<std::byte> behind;
  /// It uses the function tracer's call instead; opcode means nothing then.
  bool uses_function_tracer = false;

  bool operator==(const LiveProbe&) const = default;
};

/// Every registered kprobe, from the kernel's own table. Without BTF, struct kprobe is
/// assumed to have the layout that known kernels have, and only kprobes that have
/// changed the text are returned.
/// breakpoint: the byte that marks a kprobe that is not optimized.
/// Errors: memory that cannot be read.
/// Source: kernel/kprobes.c, kprobe_table; arch/x86/kernel/kprobes/core.c,
/// __recover_probed_insn, and opt.c, __recover_optprobed_insn.
Result<std::vector<LiveProbe>> read_live_probes(const Memory& memory,
                                                const Symbols& symbols,
                                                std::byte breakpoint);

/// Puts the replaced bytes back into a copy of the text from `address` on. A probe that
/// is registered but not in the text changes nothing.
/// breakpoint: the byte by which a probe that is not optimized is recognised.
void restore_probed_text(std::span<std::byte> text, KernelAddress address,
                         std::span<const LiveProbe> probes, std::byte breakpoint);

}  // namespace kinst::kernel
