#include "codegen/context.h"

namespace kinst::codegen {

const Context own_context = {
    .name = "own",
    // Run by hand, as a test run of a raw tracepoint's program.
    .program = bpf::ProgramType::RawTracepoint,
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
  }
  return own_context;
}

void read_kernel_word(std::uint32_t offset, Emitter& out) {
  const Temporary value = out.temporary();
  out.code().emit(
      bpf::alu(Arithmetic::Add, Register::R3, static_cast<std::int32_t>(offset)));
  out.address_of(Register::R1, value);
  out.code().emit(bpf::mov(Register::R2, 8));
  // Fills the destination with zeros where it fails.
  out.code().call(Helper::ProbeReadKernel);
  out.load(Register::R0, value);
}

}  // namespace kinst::codegen
