// A place in a user program: the context is the program's pt_regs, and the probe is
// what was given to the kernel for it to keep (its cookie, provider::user_cookie()).
// The instruction pointer would not do: several probes can be at one place.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

void identify(const Scope& /*scope*/, Label /*not_ours*/, Emitter& out) {
  load_cookie(out);
}

// A return's cookie holds more than the probe.
void identify_return(const Scope& scope, Label not_ours, Emitter& out) {
  identify(scope, not_ours, out);
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R0, 32));
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 32));
}

// arg0 is where in the function the instruction is that leaves it, arg1 the result; 0
// at a jump to another function, which has none yet.
void return_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  if (number == 0) {
    load_cookie(out);
    out.code().emit(bpf::alu(Arithmetic::ShiftRightSigned, Register::R0, 33));
    return;
  }
  if (number != 1) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  if (scope.has_results) {
    load_saved_register(scope.platform.return_value_offset, scope, out);
    return;
  }
  const Label none = out.code().label();
  load_cookie(out);
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 32));
  out.code().emit(bpf::alu(Arithmetic::And, Register::R0, 1));
  out.code().jump_if(Register::R0, Condition::Equal, 0, none);
  load_saved_register(scope.platform.return_value_offset, scope, out);
  out.code().bind(none);
}

void entry_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  load_function_argument(number, types::AddressSpace::User, scope, out);
}

}  // namespace

const Context user_entry_context = {
    .name = "user function entry",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .is_in_user_code = true,
    .is_at_end_of_function = true,
    .identify = identify,
    .argument = entry_argument,
    .interrupted_register = load_saved_register,
};

const Context user_return_context = {
    .name = "user function return",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .is_in_user_code = true,
    .is_at_end_of_function = true,
    .turn_to_attach = 0,
    .identify = identify_return,
    .argument = return_argument,
    .interrupted_register = load_saved_register,
};

const Context user_instruction_context = {
    .name = "user instruction",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .is_in_user_code = true,
    .turn_to_attach = 1,
    .identify = identify,
    .interrupted_register = load_saved_register,
};

}  // namespace kinst::codegen
