#include "codegen/context/context.h"

namespace kinst::codegen {

const Context own_context = {
    .name = "own",
    // Run by hand, as a test run of a raw tracepoint's program.
    .program = bpf::ProgramType::RawTracepoint,
    .is_run_by_kinst = true,
};

const Context& context_of(ContextKind kind) {
  switch (kind) {
    case ContextKind::Own:
      return own_context;
    case ContextKind::KernelInstruction:
      return kernel_instruction_context;
    case ContextKind::Timer:
      return timer_context;
    case ContextKind::SystemCallEntry:
      return system_call_entry_context;
    case ContextKind::SystemCallReturn:
      return system_call_return_context;
    case ContextKind::FunctionEntry:
      return function_entry_context;
    case ContextKind::FunctionReturn:
      return function_return_context;
    case ContextKind::BreakpointEntry:
      return breakpoint_entry_context;
    case ContextKind::BreakpointReturn:
      return breakpoint_return_context;
    case ContextKind::ComingEntry:
      return coming_entry_context;
    case ContextKind::ComingReturn:
      return coming_return_context;
    case ContextKind::ComingInstruction:
      return coming_instruction_context;
    case ContextKind::TracedEntry:
      return traced_entry_context;
    case ContextKind::TracedReturn:
      return traced_return_context;
    case ContextKind::Tracepoint:
      return tracepoint_context;
    case ContextKind::RawTracepoint:
      return raw_tracepoint_context;
    case ContextKind::UserEntry:
      return user_entry_context;
    case ContextKind::UserReturn:
      return user_return_context;
    case ContextKind::UserInstruction:
      return user_instruction_context;
  }
  return own_context;
}

void read_task_member(std::uint32_t offset, std::int32_t bytes, Emitter& out) {
  out.code().call(Helper::GetCurrentTask);
  out.code().emit(
      bpf::alu(Arithmetic::Add, Register::R0, static_cast<std::int32_t>(offset)));
  const Temporary address = out.saved(Register::R0);
  const Temporary value = out.temporary();
  out.address_of(Register::R1, value);
  out.code().emit(bpf::mov(Register::R2, bytes));
  out.load(Register::R3, address);
  out.code().call(Helper::ProbeReadKernel);
  out.fault_if_negative(address);
  out.code().emit(bpf::load(size_of_bytes(static_cast<std::uint64_t>(bytes)),
                            Register::R0, Register::R10, value.offset()));
}

void read_word(types::AddressSpace space, std::uint32_t offset, Emitter& out) {
  const Temporary value = out.temporary();
  out.code().emit(
      bpf::alu(Arithmetic::Add, Register::R3, static_cast<std::int32_t>(offset)));
  out.address_of(Register::R1, value);
  out.code().emit(bpf::mov(Register::R2, 8));
  // Both fill the destination with zeros where they fail.
  out.code().call(space == types::AddressSpace::User ? Helper::ProbeReadUser
                                                     : Helper::ProbeReadKernel);
  out.load(Register::R0, value);
}

void load_saved_register(std::uint32_t offset, const Scope& /*scope*/, Emitter& out) {
  out.code().emit(bpf::load(Size::Double, Register::R0, context_register,
                            static_cast<std::int16_t>(offset)));
}

void load_breakpoint_address(const Scope& scope, Emitter& out) {
  load_saved_register(scope.platform.instruction_pointer_offset, scope, out);
  out.code().emit(
      bpf::alu(Arithmetic::Subtract, Register::R0,
               static_cast<std::int32_t>(scope.platform.instruction_pointer_excess)));
}

void load_breakpoint_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  if (offset == scope.platform.instruction_pointer_offset) {
    load_breakpoint_address(scope, out);
  } else {
    load_saved_register(offset, scope, out);
  }
}

void load_cookie(Emitter& out) {
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.code().call(Helper::GetAttachCookie);
}

void load_probed_function(Emitter& out) {
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.code().call(Helper::GetFuncIp);
}

void load_key_in(provider::KeySpace space, Emitter& out) {
  // Makes room for the key's top byte.
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R0, 8));
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 8));
  out.code().load_constant(Register::R1, provider::key_in(space, 0));
  out.code().emit(bpf::alu(Arithmetic::Or, Register::R0, Register::R1));
}

void find_breakpoint_row(const Scope& scope, Label none, Emitter& out) {
  const Temporary place = out.saved(Register::R0);
  out.code().load_map(Register::R1, scope.storage.breakpoints.value());
  out.address_of(Register::R2, place);
  out.code().call(Helper::MapLookup);
  out.code().jump_if(Register::R0, Condition::Equal, 0, none);
}

void load_function_argument(std::uint32_t number, types::AddressSpace space,
                            const Scope& scope, Emitter& out) {
  const auto& in_registers = scope.platform.argument_offsets;
  if (number < in_registers.size()) {
    load_saved_register(in_registers[number], scope, out);
    return;
  }
  load_saved_register(scope.platform.stack_pointer_offset, scope, out);
  out.code().emit(bpf::mov(Register::R3, Register::R0));
  const auto above = number - static_cast<std::uint32_t>(in_registers.size());
  read_word(space, (above + scope.platform.return_address_words) * 8, out);
}

void load_kernel_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  load_function_argument(number, types::AddressSpace::Kernel, scope, out);
}

void load_entry_register(std::uint32_t offset, void (*load_function)(Emitter& out),
                         const Scope& scope, Emitter& out) {
  if (offset == scope.platform.instruction_pointer_offset) {
    load_function(out);
  } else {
    load_saved_register(offset, scope, out);
  }
}

void extend_result(const Scope& scope, Emitter& out) {
  extend(out, Register::R0, scope.result.size_bytes, scope.result.is_signed);
}

void load_function_result(std::uint32_t number, const Scope& scope, Emitter& out) {
  if (number == 1) {
    load_saved_register(scope.platform.return_value_offset, scope, out);
    extend_result(scope, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, number == 0 ? -1 : 0));
  }
}

}  // namespace kinst::codegen
