// An instruction of the kernel: the context is the pt_regs of the moment before it
// executes, and the probe is its address.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

void identify(const Scope& scope, Label /*not_ours*/, Emitter& out) {
  load_breakpoint_address(scope, out);
}

}  // namespace

const Context kernel_instruction_context = {
    .name = "instruction",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .begins_behind_probe = true,
    .is_called_at_known_probes = true,
    .identify = identify,
    .argument = load_kernel_argument,  // asked at entries only
    .interrupted_register = load_breakpoint_register,
};

}  // namespace kinst::codegen
