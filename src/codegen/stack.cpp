// bpf_get_stack in its uses. Its low flag bits say how many frames to skip.
#include "codegen/stack.h"

#include "codegen/string.h"

namespace kinst::codegen {
namespace {

// As many frames as the kernel unwinds at most: sysctl kernel.perf_event_max_stack.
constexpr std::int32_t most_frames = 127;

// BEGIN and END are run by kinst itself: the frames would be those of running them.
bool has_frames(StackOf whose, const Scope& scope) {
  return whose == StackOf::User || scope.context != ContextKind::Own;
}

std::int32_t flags_of(StackOf whose) {
  return whose == StackOf::User ? BPF_F_USER_STACK : 0;
}

}  // namespace

void record_stack(StackOf whose, std::uint32_t offset, std::uint32_t frames,
                  const Scope& scope, Emitter& out) {
  zero_state(offset, frames * 8, scope, out);
  if (!has_frames(whose, scope)) {
    return;
  }
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.address_of_state(Register::R2, offset);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(frames * 8)));
  out.code().emit(bpf::mov(Register::R4, flags_of(whose)));
  out.code().call(Helper::GetStack);
}

void generate_frame(StackOf whose, std::uint32_t frame, const Scope& scope,
                    Emitter& out) {
  if (!has_frames(whose, scope)) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Temporary address = out.temporary();
  const Label done = out.code().label();
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.address_of(Register::R2, address);
  out.code().emit(bpf::mov(Register::R3, 8));
  out.code().emit(bpf::mov(Register::R4, flags_of(whose) | static_cast<int>(frame)));
  out.code().call(Helper::GetStack);
  const Label found = out.code().label();
  out.code().jump_if(Register::R0, Condition::Equal, 8, found);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().jump(done);
  out.code().bind(found);
  out.load(Register::R0, address);
  out.code().bind(done);
}

void generate_depth(StackOf whose, const Scope& scope, Emitter& out) {
  if (!has_frames(whose, scope)) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Temporary cpu = out.temporary();
  const Label no_frames = out.code().label();
  const Label done = out.code().label();
  out.code().call(Helper::GetSmpProcessorId);
  out.store(cpu, Register::R0);
  out.code().load_map(Register::R1, scope.storage.scratch);
  out.address_of(Register::R2, cpu);
  out.code().call(Helper::MapLookup);
  out.code().jump_if(Register::R0, Condition::Equal, 0, no_frames);
  // Behind the scratch proper, where nothing of the clause's lies.
  out.code().emit(bpf::mov(Register::R2, Register::R0));
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R2, KINST_SCRATCH_BYTES));
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.code().emit(bpf::mov(Register::R3, most_frames * 8));
  out.code().emit(bpf::mov(Register::R4, flags_of(whose)));
  out.code().call(Helper::GetStack);
  out.code().jump_if(Register::R0, Condition::SignedLess, 0, no_frames);
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 3));
  out.code().jump(done);
  out.code().bind(no_frames);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(done);
}

}  // namespace kinst::codegen
