// profile and tick: the context begins with the pt_regs that the clock interrupted.
#include "codegen/context.h"

namespace kinst::codegen {
namespace {

void load_register(std::uint32_t offset, const Scope& /*scope*/, Emitter& out) {
  out.code().emit(bpf::load(Size::Double, Register::R0, context_register,
                            static_cast<std::int16_t>(offset)));
}

// arg0 is the interrupted instruction if it is the kernel's, arg1 if it is a user
// program's.
void generate_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  if (number > 1) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Label done = out.code().label();
  load_register(scope.platform.instruction_pointer_offset, scope, out);
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
    .interrupted_register = load_register,
};

}  // namespace kinst::codegen
