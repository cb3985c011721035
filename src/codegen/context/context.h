// A BPF program gets its context from the kernel when a probe fires. What the context
// is depends on the kind of probe; so does the way from the context to the probe, its
// arguments and its registers. Each kind has one Context, in a file of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "bpf/code/program.h"
#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/platform.h"
#include "types/type.h"

namespace kinst::codegen {

/// How code is generated for one kind of context. A null function means that probes of
/// this kind have no such value; the built-in variable is then 0.
struct Context {
  std::string_view name;  ///< in printed plans
  bpf::ProgramType program{};
  /// Whether one program serves any number of probes. Otherwise each probe has a
  /// program of its own.
  bool serves_many = false;
  /// Whether the kernel counts the hits of probes whose programs are loaded for no
  /// attach type.
  bool has_counted_hits = false;
  /// Whether the kernel's stack begins where the interrupted code will continue, behind
  /// the probe's breakpoint, and not at the probe's instruction.
  bool begins_behind_probe = false;
  /// Whether the kernel's stack begins with frames of the program and its caller.
  bool has_own_frames = false;
  /// Whether kinst itself runs the program, before tracing begins and after it is over.
  bool is_run_by_kinst = false;
  /// Whether the kernel calls the program only at those of its probes that are known
  /// when it is made.
  bool is_called_at_known_probes = false;
  /// Whether the kernel calls the program at all places of a kind, most of which are no
  /// probes.
  bool is_called_everywhere = false;
  /// Whether probes fire in a user program, so that the context is the user program's
  /// pt_regs.
  bool is_in_user_code = false;
  /// Whether the return address is where a call of that program has put it.
  bool is_at_end_of_function = false;
  /// Programs of a lower turn are attached first. Of the probes at one place of user
  /// code the kernel runs that first which came last: kernel/events/uprobes.c,
  /// consumer_add(). A function is entered before it is left.
  std::uint8_t turn_to_attach = 2;
  /// R0 = the key of the probe that fired. Jumps to `not_ours` if that probe is not in
  /// scope.served. Null unless serves_many.
  void (*identify)(const Scope& scope, Label not_ours, Emitter& out) = nullptr;
  /// R0 = argN, with the full width of its register or field.
  void (*argument)(std::uint32_t number, const Scope& scope, Emitter& out) = nullptr;
  /// R0 = errno.
  void (*error_number)(const Scope& scope, Emitter& out) = nullptr;
  /// R0 = the register that was interrupted, by its offset in pt_regs.
  void (*interrupted_register)(std::uint32_t offset, const Scope& scope,
                               Emitter& out) = nullptr;
};

const Context& context_of(ContextKind kind);

/// R0 = the current task's member of `bytes` bytes at `offset`.
void read_task_member(std::uint32_t offset, std::int32_t bytes, Emitter& out);

/// R0 = the 8 bytes at R3 + offset in address space `space`; 0 if they cannot be read.
void read_word(types::AddressSpace space, std::uint32_t offset, Emitter& out);

/// R0 = the register at `offset` of the pt_regs. The context is a pt_regs, or begins
/// with one.
void load_saved_register(std::uint32_t offset, const Scope& scope, Emitter& out);

/// R0 = the register at a kprobe's breakpoint, where the instruction pointer is the
/// breakpoint's address.
void load_breakpoint_register(std::uint32_t offset, const Scope& scope, Emitter& out);

/// R0 = the address of the instruction that a kprobe's breakpoint stands at.
void load_breakpoint_address(const Scope& scope, Emitter& out);

/// R0 = the cookie that was given to the kernel with the place where the program runs.
void load_cookie(Emitter& out);

/// R0 = the address of the function at whose end a kprobe stands.
void load_probed_function(Emitter& out);

/// R0 = the key that key_in() makes of `space` and the address in R0.
void load_key_in(provider::KeySpace space, Emitter& out);

/// R0 = the row that the map of breakpoints has for the address in R0. Jumps to `none`
/// if there is no such row.
void find_breakpoint_row(const Scope& scope, Label none, Emitter& out);

/// R0 = argument `number` by C's calling convention. The program must run at the
/// function's first instruction, where the argument is in a register or on the stack,
/// above the return address. space: the address space of that stack.
void load_function_argument(std::uint32_t number, types::AddressSpace space,
                            const Scope& scope, Emitter& out);

/// R0 = argument `number` at the entry of a kernel function.
void load_kernel_argument(std::uint32_t number, const Scope& scope, Emitter& out);

/// R0 = the register at `offset` at the entry of a kernel function. The instruction
/// pointer reads as the function's first byte, wherever in the function the kernel has
/// put the probe.
/// load_function: generates code for R0 = the function's address.
void load_entry_register(std::uint32_t offset, void (*load_function)(Emitter& out),
                         const Scope& scope, Emitter& out);

/// Turns R0, the register that carries a result, into the result: see ResultType.
void extend_result(const Scope& scope, Emitter& out);

/// R0 = arg0 or arg1 at a function's return. arg0 is -1, because the return instruction
/// is not known; arg1 is the result.
void load_function_result(std::uint32_t number, const Scope& scope, Emitter& out);

extern const Context own_context;
extern const Context kernel_instruction_context;
extern const Context timer_context;
extern const Context system_call_entry_context;
extern const Context system_call_return_context;
extern const Context function_entry_context;
extern const Context function_return_context;
extern const Context breakpoint_entry_context;
extern const Context breakpoint_return_context;
extern const Context coming_entry_context;
extern const Context coming_return_context;
extern const Context coming_instruction_context;
extern const Context traced_entry_context;
extern const Context traced_return_context;
extern const Context tracepoint_context;
extern const Context raw_tracepoint_context;
extern const Context user_entry_context;
extern const Context user_return_context;
extern const Context user_instruction_context;

}  // namespace kinst::codegen
