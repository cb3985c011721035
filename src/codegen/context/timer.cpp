// profile and tick: the context begins with the pt_regs that the clock interrupted.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

// arg0 is the interrupted instruction if it is the kernel's, arg1 if it is a user
// program's.
void generate_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  if (number > 1) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Label done = out.code().label();
  load_saved_register(scope.platform.instruction_pointer_offset, scope, out);
  // Kernel addresses are negative numbers.
  out.code().jump_if(
      Register::R0,
      number == 0 ? Condition::SignedLess : Condition::SignedGreaterOrEqual, 0, done);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(done);
}

}  // namespace

const Context timer_context = {
    .name = "timer",
    .program = bpf::ProgramType::PerfEvent,
    .argument = generate_argument,
    .interrupted_register = load_saved_register,
};

}  // namespace kinst::codegen
