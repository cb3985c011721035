// What uprobes of the running machine cannot be put at, known without asking the
// kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kinst::isa {

/// Why no uprobe may be put at the instruction, as a clause; empty where the kernel is
/// to decide. It is either refused, as the kernel cannot step over it, or worse: taken
/// for another. The kernel looks opcodes of AVX instructions up as if they were of one
/// byte, so it would "emulate" a vmovdqu as a conditional jump and a vpor as a jump.
/// encoding: all its bytes, x86-64. Source: arch/x86/kernel/uprobes.c, is_prefix_bad(),
/// good_insns_64, branch_setup_xol_ops(), arch_uprobe_analyze_insn().
std::string_view why_no_uprobe(std::span<const std::byte> encoding);

}  // namespace kinst::isa
