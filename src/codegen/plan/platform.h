// What generated code must know of the machine and the kernel that it runs on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "provider/probe.h"
#include "record/meaning.h"
#include "types/kernel_types.h"
#include "unwind/unwind_tables.h"

namespace kinst::codegen {

/// Offsets in the kernel's structures, from its BTF; nothing if BTF lacks them.
struct KernelOffsets {
  std::optional<std::uint32_t> task_parent;   ///< task_struct.real_parent
  std::optional<std::uint32_t> task_process;  ///< task_struct.tgid
  std::optional<std::uint32_t>
      task_time_on_cpu_ns;  ///< task_struct.se.sum_exec_runtime
};

/// The pid namespace that kinst runs in, and where the kernel keeps a thread's numbers
/// in it, in the form that kinst_numbers_in_namespace() takes (runtime/functions.h).
struct PidNamespace {
  std::uint64_t task_layout = 0;
  std::uint64_t pid_layout = 0;
  std::uint32_t number = 0;  ///< its inode
};

/// Where a system call's arguments and number are, as offsets in pt_regs.
struct SystemCallOffsets {
  std::vector<std::uint32_t> argument_offsets;
  std::uint32_t number_offset = 0;
  /// The offset in task_struct of the flags that tell a 32-bit program's call; nothing
  /// without BTF.
  std::optional<std::uint32_t> compatible_flags_offset;
  std::uint64_t compatible_mask = 0;
};

struct Platform {
  /// The offset in pt_regs of each of D's registers (regs[R_RSI]), in bytes; nothing
  /// for a register that a probe does not save.
  std::vector<std::optional<std::uint32_t>> register_offsets;
  /// For each of the same registers, where the kernel keeps it if it belongs to a
  /// process; otherwise, and without BTF, nothing.
  std::vector<std::optional<types::KernelMember>> thread_registers;
  /// The instruction pointer's offset in pt_regs.
  std::uint32_t instruction_pointer_offset = 0;
  /// How far the instruction pointer in a kprobe's context is beyond the probe's
  /// address: 1 on x86, where the breakpoint has been executed.
  std::uint32_t instruction_pointer_excess = 0;
  /// Offsets in pt_regs of the registers that carry a function's arguments, in order.
  std::vector<std::uint32_t> argument_offsets;
  std::uint32_t return_value_offset = 0;
  /// How many words a call pushes: 1 if the return address is on the stack.
  std::uint32_t return_address_words = 0;
  std::uint32_t stack_pointer_offset = 0;
  std::uint32_t frame_pointer_offset = 0;
  /// Nothing on a machine whose calls push the return address.
  std::optional<std::uint32_t> link_register_offset;
  std::uint32_t flags_offset = 0;
  /// Address of the kernel's array of per-CPU bases, __per_cpu_offset.
  std::optional<std::uint64_t> per_cpu_offsets;
  SystemCallOffsets system_calls;

  /// The text of a probe's instruction, or its mnemonic; empty for a probe that is not
  /// at an instruction. Called only if a program computes with it.
  std::function<std::string(const provider::Probe&, record::Meaning)> instruction_text;

  /// One more than the highest possible CPU number.
  std::uint32_t cpus = 1;
  /// The only CPU on which probes fire; nothing for all CPUs.
  std::optional<std::uint32_t> only_cpu;
  /// Nanoseconds from the monotonic clock to the time of day.
  std::uint64_t wall_clock_offset_ns = 0;
  KernelOffsets kernel;
  /// Nothing in the initial pid namespace, whose numbers the kernel's helpers return.
  std::optional<PidNamespace> pid_namespace;
  /// Tables for the processes whose stacks are walked by tables.
  UnwindTables unwinding;
};

}  // namespace kinst::codegen
