// A kernel function's beginning and return by breakpoints at its instructions. Several
// of them can be one probe, so the probe is looked up by the instruction's address; its
// key holds the address of the function.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

// R0 = the BreakpointRow of the instruction that the program runs at. Goes to `none` if
// it has none.
void find_row(const Scope& scope, Label none, Emitter& out) {
  load_breakpoint_address(scope, out);
  find_breakpoint_row(scope, none, out);
}

void identify(const Scope& scope, Label not_ours, Emitter& out) {
  find_row(scope, not_ours, out);
  out.code().emit(bpf::load(Size::Double, Register::R0, Register::R0,
                            offsetof(BreakpointRow, probe)));
}

// R0 = the function's address, whose top bits, all set, the key has replaced.
void load_function(Emitter& out) {
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, probe));
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R0, 8));
  out.code().emit(bpf::alu(Arithmetic::ShiftRightSigned, Register::R0, 8));
}

void entry_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  load_entry_register(offset, load_function, scope, out);
}

// R0 = where in the function the instruction is.
void load_offset(const Scope& scope, Emitter& out) {
  load_function(out);
  const Temporary function = out.saved(Register::R0);
  load_breakpoint_address(scope, out);
  out.load(Register::R1, function);
  out.code().emit(bpf::alu(Arithmetic::Subtract, Register::R0, Register::R1));
}

// R0 = the result; 0 at a tail call, which has none yet.
void load_result(const Scope& scope, Emitter& out) {
  if (scope.has_results) {
    load_saved_register(scope.platform.return_value_offset, scope, out);
    extend_result(scope, out);
    return;
  }
  const Label none = out.code().label();
  const Label done = out.code().label();
  find_row(scope, none, out);
  out.code().emit(bpf::load(Size::Double, Register::R0, Register::R0,
                            offsetof(BreakpointRow, has_result)));
  out.code().jump_if(Register::R0, Condition::Equal, 0, none);
  load_saved_register(scope.platform.return_value_offset, scope, out);
  extend_result(scope, out);
  out.code().jump(done);
  out.code().bind(none);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(done);
}

void return_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  if (number == 0) {
    load_offset(scope, out);
  } else if (number == 1) {
    load_result(scope, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, 0));
  }
}

void return_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  if (offset == scope.platform.instruction_pointer_offset) {
    load_breakpoint_address(scope, out);
  } else {
    load_saved_register(offset, scope, out);
  }
}

}  // namespace

const Context breakpoint_entry_context = {
    .name = "breakpoint entry",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .begins_behind_probe = true,
    .identify = identify,
    .argument = load_kernel_argument,
    .interrupted_register = entry_register,
};

const Context breakpoint_return_context = {
    .name = "breakpoint return",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .begins_behind_probe = true,
    .identify = identify,
    .argument = return_argument,
    .interrupted_register = return_register,
};

}  // namespace kinst::codegen
