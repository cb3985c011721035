// What uprobes of the running machine cannot be put at, known without asking the
// kernel.
#pragma once

#include <cstddef>
#include <span>

namespace kinst::isa {

/// Whether the kernel refuses a uprobe at the instruction, because it cannot step over
/// it. False is no promise: the kernel has the last word.
/// encoding: all its bytes, x86-64. Source: arch/x86/kernel/uprobes.c, is_prefix_bad()
/// and good_insns_64, which looks up the opcode of AVX instructions as if it were one
/// of a byte.
bool uprobes_refuse(std::span<const std::byte> encoding);

}  // namespace kinst::isa
