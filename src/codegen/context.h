// What a BPF program is given when a probe fires, and how it gets from there to the
// probe, to arguments and to registers: one row for each kind of context, in a file of
// its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "bpf/program.h"
#include "codegen/emitter.h"
#include "codegen/plan.h"
#include "codegen/platform.h"
#include "codegen/scope.h"
#include "types/type.h"

namespace kinst::codegen {

/// Functions that are null stand for what there is not: their value is 0.
struct Context {
  std::string_view name;  ///< in printed plans
  bpf::ProgramType program{};
  /// One program serves any number of probes; else each probe has its own.
  bool serves_many = false;
  /// Which of the platform's says what programs are loaded for; null for none.
  std::uint32_t Platform::*attach_type = nullptr;
  /// R0 = the key of the probe that fired. Goes to `not_ours` if it is none of
  /// scope.served. Only where serves_many.
  void (*identify)(const Scope& scope, Label not_ours, Emitter& out) = nullptr;
  /// R0 = argN, all of its register or field.
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

/// R0 = the 8 bytes at R3 + offset in that memory, 0 if they cannot be read.
void read_word(types::AddressSpace space, std::uint32_t offset, Emitter& out);

/// R0 = the register at `offset` of the pt_regs that the context is or begins with.
void load_saved_register(std::uint32_t offset, const Scope& scope, Emitter& out);

/// R0 = the address of the instruction that a kprobe's breakpoint stands at.
void load_breakpoint_address(const Scope& scope, Emitter& out);

/// R0 = what was given to the kernel to keep for the place that the program runs at.
void load_cookie(Emitter& out);

/// R0 = the address of the function at whose end a kprobe stands.
void load_probed_function(Emitter& out);

/// R0 = the key in that space of the address in R0.
void load_key_in(provider::KeySpace space, Emitter& out);

/// R0 = the row of the map of breakpoints for the place in R0. Goes to `none` if it has
/// none.
void find_breakpoint_row(const Scope& scope, Label none, Emitter& out);

/// R0 = argument `number` by C's calling convention, at a function's first instruction:
/// in a register or, above the return address, on the stack in `space`.
void load_function_argument(std::uint32_t number, types::AddressSpace space,
                            const Scope& scope, Emitter& out);

/// R0 = argument `number` at the entry of a kernel function.
void load_kernel_argument(std::uint32_t number, const Scope& scope, Emitter& out);

/// R0 = the register at the entry of a kernel function, where the instruction pointer
/// is the function's beginning, wherever the probe is that the kernel put there.
/// load_function: code for R0 = the function's address.
void load_entry_register(std::uint32_t offset, void (*load_function)(Emitter& out),
                         const Scope& scope, Emitter& out);

/// R0, the register of a result, becomes the result: see ResultType.
void extend_result(const Scope& scope, Emitter& out);

/// R0 = arg0 or arg1 where a function has returned: -1, for where in the function it
/// did is not known, and the result.
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
