// What must be known of a machine to trace its instructions. Each machine has one
// struct of data and functions, so that nothing outside this folder mentions an opcode
// or a register of a particular machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "isa/calling_convention.h"
#include "isa/instruction.h"
#include "isa/kprobes.h"
#include "isa/user_probes.h"

namespace kinst::isa {

/// Where a register's value is when a probe fires.
struct Register {
  /// As assembly writes it, without a sigil: "rsi".
  std::string_view name;
  /// Offset in bytes in struct pt_regs; no_offset when it is not saved there.
  std::uint16_t pt_regs_offset = 0;
  /// For a register that pt_regs lacks: the path below struct task_struct where the
  /// kernel keeps the user thread's value, "thread.fsbase"; else empty. Sizes differ
  /// between members and kernels, so they are to be looked up as types.
  std::string_view task_member;

  static constexpr std::uint16_t no_offset = 0xffff;
};

/// A D constant that indexes regs[]: "R_RSI". Several names can mean one register.
struct RegisterName {
  std::string_view name;
  RegisterId id = RegisterId::None;
};

enum class Syntax : std::uint8_t { Att, Intel };

/// Names an address as "symbol" or "symbol+0x12"; empty when it has no name.
using Symbolize = std::function<std::string(KernelAddress)>;

/// A system call that programs know by another name than the kernel does.
struct SystemCallAlias {
  std::string_view name;         ///< "stat", as in <sys/syscall.h>
  std::string_view kernel_name;  ///< "newstat", as in tracepoints and sys_newstat()
};

/// System calls of programs of the machine's full width.
struct SystemCalls {
  /// By number, as the kernel names them; empty for numbers that mean nothing.
  std::span<const std::string_view> names;
  std::span<const SystemCallAlias> aliases;
  std::span<const RegisterId> argument_registers;
  /// Where the number is in the registers saved at the call, until it returns.
  RegisterId number_register = RegisterId::None;
  /// The path below struct task_struct of the flags that mark a system call of a
  /// narrower program, whose call numbers differ; and the bits that mark it.
  std::string_view compatible_member;
  std::uint64_t compatible_mask = 0;
};

/// Where the kernel saves the registers of a program that gets a signal: bytes from the
/// stack pointer on, as the handler leaves it.
struct SignalFrame {
  std::uint16_t program_counter = 0;
  std::uint16_t stack_pointer = 0;
  std::uint16_t frame_pointer = 0;
  std::uint16_t link_register = 0;  ///< 0 on a machine that has none
};

/// What Isa has where a machine lacks something.
namespace absent {
inline const SystemCalls& system_calls() {
  static constexpr SystemCalls none;
  return none;
}
inline std::string_view unprobeable_reason(std::span<const Instruction> /*function*/,
                                           std::size_t /*index*/) {
  return {};
}
inline std::uint32_t landing_pad_bytes(std::span<const std::byte> /*text*/) {
  return 0;
}
inline std::optional<FunctionOffset> tracer_call(std::span<const std::byte> /*text*/) {
  return std::nullopt;
}
inline bool resolve_thunk(Instruction& /*instruction*/, std::string_view /*target*/) {
  return false;
}
inline bool is_moved(std::span<const std::byte> /*live*/,
                     std::span<const std::byte> /*disk*/, std::uint64_t /*distance*/) {
  return false;
}
inline std::string_view why_no_uprobe(std::span<const std::byte> /*encoding*/) {
  return {};
}
inline bool may_become_a_call(std::span<const std::byte> /*encoding*/) {
  return false;
}
inline NopExperiment nop_experiment() {
  return {};
}
}  // namespace absent

/// Everything that kinst knows of one machine. Nothing outside this folder asks which
/// machine it is, so a port is a struct of this type and what it points to.
///
/// A port can grow in these steps. Each needs the members of the steps before. A member
/// of a later step keeps its default, which means that the machine has nothing of the
/// kind, or that kinst does not know it yet.
///
/// 1. To show functions (--disas): `name`, `decode`, `text`, `mnemonic`, `is_filler`,
///    `is_trap`. `decode` may begin with lengths, and leave empty what is not known of
///    an instruction yet. Selectors, --annotate and branchtarget need classes and
///    branches, memaddr and memval need memory operands, branchtaken needs conditions.
/// 2. To trace instructions: `program_counter`, `breakpoint_pc_advance_bytes`,
///    `probe_breakpoint`; for regs[] `registers` and `register_names`. Before anyone
///    traces a kernel that matters: `unprobeable_reason` and `emulation_faults`, as
///    what kprobes accept and then run wrongly crashes the kernel. Without them the
///    kernel's own refusals are all there is.
/// 3. To trace functions (fbt), and arg0 to arg9: `argument_registers`,
///    `return_register`, `stack_pointer`, `return_address_words`. `function_places` for
///    args[]; without it args[] has no types. Absent without harm: `tracer_call`,
///    `tracer_nop` and `tracer_entry` (the kernel is asked, which takes longer, and a
///    function that somebody traces looks changed), `landing_pad_bytes`.
/// 4. For programs: `pt_regs_bytes` and `breakpoint` (-c, which stops its command once
///    it has begun), `system_calls` (the syscall provider has no probes without),
///    `frame_pointer`, `link_register`, `signal_frame` and `dwarf_registers` (ustack();
///    local variables of the kernel's code need `dwarf_registers`, too). For pid
///    probes: `elf_machine`, `goes_on`, `address_taken`, `add_direct_targets`; and
///    before anyone traces a program that matters, `why_no_uprobe`, as uprobes run some
///    instructions wrongly.
/// 5. What only some machines have: `flags`, `landing_pad_bytes`, `resolve_thunk`,
///    `optimized_probe_bytes`, `decodes_behind_functions`, `kprobe_layout`,
///    `kernel_decoder`, `is_moved`, `may_become_a_call` with `nop_experiment`.
///
/// isa/fake_machine_for_tests.h is a port that does no more than it must.
struct Isa {
  std::string_view name;
  /// By which ELF files name the machine: EM_* of <elf.h>. Programs of 64 bits only.
  std::uint16_t elf_machine = 0;

  // ------------------------------------------------------------------ registers

  /// Indexed by RegisterId.
  std::span<const Register> registers;
  std::span<const RegisterName> register_names;
  RegisterId program_counter = RegisterId::None;
  RegisterId stack_pointer = RegisterId::None;
  RegisterId frame_pointer = RegisterId::None;
  /// The register that conditions look at; None where each branch tests registers.
  RegisterId flags = RegisterId::None;
  /// By the number that debug information gives to each; None where regs[] has none.
  std::span<const RegisterId> dwarf_registers;
  /// sizeof(struct pt_regs).
  std::uint16_t pt_regs_bytes = 0;
  SignalFrame signal_frame;

  // ------------------------------------------------------------------ calls

  /// In the order of the C calling convention.
  std::span<const RegisterId> argument_registers;
  RegisterId return_register = RegisterId::None;
  /// How many 8-byte words a call puts on the stack in front of the stack arguments:
  /// one for the return address, unless the machine keeps that in a register.
  std::uint8_t return_address_words = 0;
  /// Where a call leaves the return address; None on a machine that pushes it.
  RegisterId link_register = RegisterId::None;
  /// Where a function of that shape finds its parameters and leaves its result. Null if
  /// that is not known: then no parameter has a place.
  FunctionPlaces (*function_places)(const FunctionShape& function) = nullptr;
  const SystemCalls& (*system_calls)() = absent::system_calls;

  // ------------------------------------------------------------------ instructions

  /// Splits a function's text into instructions.
  /// text: the whole function as in memory, its first byte at `address`.
  /// Returns instructions in address order whose lengths sum to text.size(); what
  /// begins no known instruction is one of Decoding::Undecodable.
  std::vector<Instruction> (*decode)(std::span<const std::byte> text,
                                     KernelAddress address) = nullptr;

  /// The instruction as assembly text, targets and absolute addresses named by
  /// `symbolize` (which may be empty): "call kfree", "mov 0x10(%rdi),%rax". A machine
  /// with one syntax has it for both.
  std::string (*text)(const Instruction& instruction, Syntax syntax,
                      const Symbolize& symbolize) = nullptr;

  /// The operation as the vendor's manual names it, in lower case, without prefixes and
  /// operand-size suffix: "cmpxchg" for "lock cmpxchgl %edx,(%rdi)", "movzx" for
  /// "movzbl (%rsi),%eax"; "(bad)" for an undecodable byte.
  std::string (*mnemonic)(const Instruction& instruction) = nullptr;

  /// Whether the instruction does nothing but fill space between functions: a nop, a
  /// breakpoint, or the zeros behind the end of a section.
  bool (*is_filler)(const Instruction& instruction) = nullptr;

  /// Whether the instruction raises an exception, as the kernel's BUG does, or stops
  /// the processor, and does nothing else. Functions may end with it.
  bool (*is_trap)(const Instruction& instruction) = nullptr;

  /// Compilers replace indirect branches and returns by jumps to thunks of well-known
  /// names. Given the name of a direct target, rewrites classes, branch and memory of
  /// the instruction to what the thunk stands for. Returns whether the target was such
  /// a thunk.
  bool (*resolve_thunk)(Instruction& instruction,
                        std::string_view target_name) = absent::resolve_thunk;

  /// Whether an instruction in memory differs from the same one on disk by an address
  /// only, because the kernel was loaded `distance` bytes above the place that it was
  /// linked for. Both have the same length.
  bool (*is_moved)(std::span<const std::byte> live, std::span<const std::byte> disk,
                   std::uint64_t distance) = absent::is_moved;

  /// What debuggers write over an instruction's first bytes to stop a program.
  std::span<const std::byte> breakpoint;
  /// The saved program counter minus the breakpoint's address, once a breakpoint was
  /// executed: for debuggers, and in a kprobe's BPF program.
  std::uint8_t breakpoint_pc_advance_bytes = 0;

  // ------------------------------------------------------------------ kprobes

  /// What kprobes write over an instruction's first bytes.
  std::span<const std::byte> probe_breakpoint;
  /// How many bytes of instructions an optimized kprobe replaces by a jump; 0 where
  /// kprobes are not optimized.
  std::uint8_t optimized_probe_bytes = 0;
  /// Whether the kernel, to find out if it can optimize a probe, decodes what stands
  /// behind the function. Source: arch/x86/kernel/kprobes/opt.c, can_optimize().
  bool decodes_behind_functions = false;
  /// For kernels without BTF. Without a layout, probes of others stay in the text that
  /// is read of such kernels.
  std::optional<KprobeLayout> kprobe_layout;

  /// Why an instruction of a decoded function cannot be traced on this machine, by what
  /// it is or by what surrounds it, as the end of "cannot be traced: …"; empty if it
  /// can be. Either kprobes refuse it, or they run it wrongly. Its Decoding is Good.
  /// Source: arch/x86/kernel/kprobes/core.c, __copy_instruction and prepare_emulation.
  std::string_view (*unprobeable_reason)(std::span<const Instruction> function,
                                         std::size_t index) =
      absent::unprobeable_reason;
  std::span<const EmulationFault> emulation_faults;
  /// The prefixes of the names of the functions by which the kernel decodes
  /// instructions. To add a kprobe, the kernel runs these functions for each of its
  /// static-branch sites (kernel/jump_label.c, jump_label_text_reserved), and so hits
  /// probes in them. Empty where it need not decode to find such sites.
  std::span<const std::string_view> kernel_decoder;

  // ------------------------------------------------------------------ function tracer

  /// Length of the mark at a function's entry that indirect branches must land on, past
  /// which the kernel moves a probe at offset 0; 0 when the text begins with none.
  std::uint32_t (*landing_pad_bytes)(std::span<const std::byte> text) =
      absent::landing_pad_bytes;
  /// The offset of the function tracer's call, or of the nop in its place: behind the
  /// landing pad. Nothing if no instruction of that form is there.
  std::optional<FunctionOffset> (*tracer_call)(std::span<const std::byte> text) =
      absent::tracer_call;
  /// The nop that the kernel writes in place of the tracer's call while nobody traces
  /// the function.
  std::span<const std::byte> tracer_nop;
  /// The function that compilers let this call go to, which does nothing.
  std::string_view tracer_entry;

  // ------------------------------------------------------------------ user programs

  /// The most bytes of an instruction.
  std::uint8_t longest_instruction_bytes = most_instruction_bytes;

  /// Whether control may go on behind an instruction of a user program. False for a
  /// jump, a return, and an instruction that ends the program.
  bool (*goes_on)(const Instruction& instruction) = nullptr;

  /// The constant, absolute or relative to the instruction, that the instruction moves
  /// to a register. This is how code takes the address of a function, but any other
  /// number counts as well.
  std::optional<std::uint64_t> (*address_taken)(const Instruction& instruction) =
      nullptr;

  /// Adds to `targets` the targets of the direct jumps and calls in `text`, without
  /// knowing where instructions begin or which of them are executed. Where any byte may
  /// begin an instruction, a megabyte of text yields a few targets by chance. text: its
  /// first byte is at `address`.
  void (*add_direct_targets)(std::span<const std::byte> text, std::uint64_t address,
                             std::vector<std::uint64_t>& targets) = nullptr;

  /// Why no uprobe may be put at the instruction, as a clause; empty where the kernel
  /// is to decide. Either the kernel refuses it, as it cannot step over it, or worse,
  /// accepts it and changes what the program computes: docs/reliability.md has the
  /// list. encoding: all its bytes. Source: arch/x86/kernel/uprobes.c, is_prefix_bad(),
  /// good_insns_64, branch_setup_xol_ops(), arch_uprobe_analyze_insn(); the harness in
  /// tests/user/harness, which runs what is not refused.
  std::string_view (*why_no_uprobe)(std::span<const std::byte> encoding) =
      absent::why_no_uprobe;

  /// Whether it is a nop that some kernels (6.18) replace by a call once a uprobe there
  /// has been hit. A call pushes, over what the function may keep below the stack
  /// pointer; only where a function has just been called nothing is kept there. Source:
  /// arch/x86/kernel/uprobes.c, can_optimize().
  bool (*may_become_a_call)(std::span<const std::byte> encoding) =
      absent::may_become_a_call;
  NopExperiment (*nop_experiment)() = absent::nop_experiment;
};

/// Intel's and AMD's 64-bit machines.
const Isa& x86_64();

/// The machine that this command was built for.
const Isa& native();

/// The register that a D name such as "R_RSI" means.
std::optional<RegisterId> find_register(const Isa& isa, std::string_view d_name);

}  // namespace kinst::isa
