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
#include "isa/instruction.h"

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
};

struct Isa {
  std::string_view name;
  /// Indexed by RegisterId.
  std::span<const Register> registers;
  std::span<const RegisterName> register_names;
  /// In the order of the C calling convention.
  std::span<const RegisterId> argument_registers;
  /// By the number that debug information gives to each; None where regs[] has none.
  std::span<const RegisterId> dwarf_registers;
  RegisterId return_register = RegisterId::None;
  /// How many 8-byte words a call puts on the stack in front of the stack arguments:
  /// one for the return address, unless the machine keeps that in a register.
  std::uint8_t return_address_words = 0;
  RegisterId stack_pointer = RegisterId::None;
  RegisterId frame_pointer = RegisterId::None;
  SignalFrame signal_frame;
  RegisterId program_counter = RegisterId::None;
  RegisterId flags = RegisterId::None;
  /// sizeof(struct pt_regs).
  std::uint16_t pt_regs_bytes = 0;
  /// What debuggers and kprobes write over an instruction's first bytes.
  std::span<const std::byte> breakpoint;
  /// In a kprobe's BPF program, the saved program counter minus the address of the
  /// probed instruction.
  std::uint8_t probe_pc_advance_bytes = 0;

  const SystemCalls& (*system_calls)();

  /// Splits a function's text into instructions.
  /// text: the whole function as in memory, its first byte at `address`.
  /// Returns instructions in address order whose lengths sum to text.size(); a byte
  /// that begins no known instruction is one of Decoding::Undecodable.
  std::vector<Instruction> (*decode)(std::span<const std::byte> text,
                                     KernelAddress address);

  /// The instruction as assembly text, targets and absolute addresses named by
  /// `symbolize` (which may be empty): "call kfree", "mov 0x10(%rdi),%rax".
  std::string (*text)(const Instruction& instruction, Syntax syntax,
                      const Symbolize& symbolize);

  /// The operation as the vendor's manual names it, in lower case, without prefixes and
  /// operand-size suffix: "cmpxchg" for "lock cmpxchgl %edx,(%rdi)", "movzx" for
  /// "movzbl (%rsi),%eax"; "(bad)" for an undecodable byte.
  std::string (*mnemonic)(const Instruction& instruction);

  /// Why kprobes on this machine refuse the instruction whatever its place, as the end
  /// of "cannot be traced: …"; empty when they do not.
  /// Source: arch/x86/kernel/kprobes/core.c, __copy_instruction and prepare_emulation.
  std::string_view (*unprobeable_reason)(const Instruction& instruction);

  /// Length of the mark at a function's entry that indirect branches must land on, past
  /// which the kernel moves a probe at offset 0; 0 when the text begins with none.
  std::uint32_t (*landing_pad_bytes)(std::span<const std::byte> text);

  /// Whether the instruction does nothing but fill space between functions: a nop, a
  /// breakpoint, or the zeros behind the end of a section.
  bool (*is_filler)(const Instruction& instruction);

  /// The offset of the function tracer's call, or of the nop in its place: behind the
  /// landing pad. Nothing if no instruction of that form is there.
  std::optional<FunctionOffset> (*tracer_call)(std::span<const std::byte> text);
  /// The nop that the kernel writes in place of the tracer's call while nobody traces
  /// the function.
  std::span<const std::byte> tracer_nop;
  /// The length of the jump that an optimized kprobe writes over instructions.
  std::uint8_t optimized_probe_bytes = 0;

  /// Compilers replace indirect branches and returns by jumps to thunks of well-known
  /// names. Given the name of a direct target, rewrites classes, branch and memory of
  /// the instruction to what the thunk stands for. Returns whether the target was such
  /// a thunk.
  bool (*resolve_thunk)(Instruction& instruction, std::string_view target_name);
};

/// Intel's and AMD's 64-bit machines.
const Isa& x86_64();

/// The machine that this command was built for.
const Isa& native();

/// The register that a D name such as "R_RSI" means.
std::optional<RegisterId> find_register(const Isa& isa, std::string_view d_name);

}  // namespace kinst::isa
