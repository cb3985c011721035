// The kernel's helpers return numbers of the initial pid namespace. In any other
// namespace, `pid` would never equal $pid, $target or getpid(), so the number is looked
// up in struct pid.
#include "codegen/expression/identity.h"

namespace kinst::codegen {

void load_pid_namespace(const Scope& scope, Register first, Emitter& out) {
  const PidNamespace& here = *scope.platform.pid_namespace;
  const auto number = static_cast<unsigned>(first);
  out.code().load_constant(first, here.task_layout);
  out.code().load_constant(static_cast<Register>(number + 1), here.pid_layout);
  out.code().load_constant(static_cast<Register>(number + 2), here.number);
}

void generate_current_numbers(const Scope& scope, Emitter& out) {
  if (!scope.platform.pid_namespace) {
    out.code().call(Helper::GetCurrentPidTgid);
    return;
  }
  out.code().call(Helper::GetCurrentTask);
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  load_pid_namespace(scope, Register::R2, out);
  out.code().call("kinst_numbers_in_namespace");
}

void generate_process_of_task(const Scope& scope, Emitter& out) {
  if (scope.platform.pid_namespace) {
    out.code().emit(bpf::mov(Register::R1, Register::R0));
    load_pid_namespace(scope, Register::R2, out);
    out.code().call("kinst_numbers_in_namespace");
    out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 32));
    return;
  }
  out.code().emit(
      bpf::alu(Arithmetic::Add, Register::R0,
               static_cast<std::int32_t>(scope.platform.kernel.task_process.value())));
  const Temporary address = out.saved(Register::R0);
  const Temporary value = out.temporary();
  out.address_of(Register::R1, value);
  out.code().emit(bpf::mov(Register::R2, 4));
  out.load(Register::R3, address);
  out.code().call(Helper::ProbeReadKernel);
  out.fault_if_negative(address);
  out.code().emit(bpf::load(Size::Word, Register::R0, Register::R10, value.offset()));
}

}  // namespace kinst::codegen
