// Instructions of the running machine at which no uprobe may be put, known without
// asking the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kinst::isa {

/// Why no uprobe may be put at the instruction, as a clause; empty where the kernel is
/// to decide. Either the kernel refuses it, as it cannot step over it, or worse,
/// accepts it and changes what the program computes: docs/reliability.md has the list.
/// encoding: all its bytes, x86-64. Source: arch/x86/kernel/uprobes.c, is_prefix_bad(),
/// good_insns_64, branch_setup_xol_ops(), arch_uprobe_analyze_insn(); the harness in
/// tests/user/harness, which runs what is not refused.
std::string_view why_no_uprobe(std::span<const std::byte> encoding);

/// Whether it is a nop that some kernels (6.18) replace by a call once a uprobe there
/// has been hit. A call pushes, over what the function may keep below the stack
/// pointer; only where a function has just been called nothing is kept there. Source:
/// arch/x86/kernel/uprobes.c, can_optimize().
bool may_become_a_call(std::span<const std::byte> encoding);

/// Code of this very program with such a nop inside, to find out what the kernel does.
struct NopExperiment {
  std::uint64_t nop = 0;  ///< its address in this process
  /// Keeps the number below the stack pointer while the nop is executed, and returns
  /// what is left of it.
  std::uint64_t (*keep)(std::uint64_t number) = nullptr;
};

/// keep is null where this machine has no such nops.
NopExperiment nop_experiment();

}  // namespace kinst::isa
