// The runtime walks the stacks of processes for which there are tables. bpf_get_stack
// walks all others; the low bits of its flags say how many frames to skip.
#include "codegen/expression/stack.h"

#include <algorithm>
#include <optional>

#include "codegen/context/context.h"
#include "codegen/expression/register.h"
#include "codegen/expression/string.h"

namespace kinst::codegen {
namespace {

// As many frames as the kernel unwinds at most: sysctl kernel.perf_event_max_stack.
constexpr std::int32_t most_frames = KINST_FRAMES;

// Whether there are frames. kinst itself runs BEGIN and END, and user code does not run
// in the kernel; kernel frames there would be those of running the program.
bool has_frames(StackOf whose, const Scope& scope) {
  const Context& context = context_of(scope.context);
  return whose == StackOf::User ||
         (!context.is_run_by_kinst && !context.is_in_user_code);
}

// How many of the kernel's innermost frames belong to the program and its caller. If
// the context has the interrupted registers, the kernel begins with these instead.
std::uint32_t own_frames(const Scope& scope) {
  if (!context_of(scope.context).has_own_frames) {
    return 0;
  }
  // bpf_trace_runN or the trampoline, and the program, in which ERROR's clauses are a
  // function
  return scope.is_error_clause ? 3 : 2;
}

// Which stack, without how many of its first frames.
std::int32_t flags_of(StackOf whose, std::uint32_t skipped, const Scope& scope) {
  return whose == StackOf::User
             ? static_cast<std::int32_t>(BPF_F_USER_STACK | skipped)
             : static_cast<std::int32_t>(skipped + own_frames(scope));
}

// Whether the kernel's first frame is behind the probe. It is where the interrupted
// code would continue, which is behind a kprobe's breakpoint; the frame that is wanted
// is the probe's instruction.
bool begins_behind_probe(StackOf whose, const Scope& scope) {
  return whose == StackOf::Kernel && context_of(scope.context).begins_behind_probe;
}

// R0 = the address of the frames that the runtime has walked, if there are tables for
// the process. Otherwise jumps to the label that is returned.
Label walk_user_stack(std::uint32_t frames, const Scope& scope, Emitter& out) {
  const auto saved_register = [&](std::uint32_t offset) {
    load_user_register(offset, scope, out);
    return out.saved(Register::R0);
  };
  const Temporary ip = saved_register(scope.platform.instruction_pointer_offset);
  const Temporary sp = saved_register(scope.platform.stack_pointer_offset);
  const Temporary fp = saved_register(scope.platform.frame_pointer_offset);
  const auto link_register = scope.platform.link_register_offset;
  const std::optional<Temporary> link =
      link_register ? std::optional(saved_register(*link_register)) : std::nullopt;
  std::uint32_t wanted = std::min<std::uint32_t>(frames, KINST_FRAMES);
  if (context_of(scope.context).is_at_end_of_function) {
    wanted |= KINST_FRAMES_AT_ENTRY;
  }
  out.code().emit(bpf::mov(Register::R1, static_cast<std::int32_t>(wanted)));
  out.load(Register::R2, ip);
  out.load(Register::R3, sp);
  out.load(Register::R4, fp);
  if (link) {
    out.load(Register::R5, *link);
  } else {
    out.code().emit(bpf::mov(Register::R5, 0));
  }
  out.code().call("kinst_user_stack");
  const Label unknown = out.code().label();
  out.code().jump_if(Register::R0, Condition::Equal, 0, unknown);
  return unknown;
}

bool is_walked(StackOf whose, const Scope& scope) {
  return whose == StackOf::User && scope.storage.has_unwind_tables;
}

}  // namespace

void record_stack(StackOf whose, std::uint32_t offset, std::uint32_t frames,
                  const Scope& scope, Emitter& out) {
  zero_state(offset, frames * 8, scope, out);
  if (!has_frames(whose, scope)) {
    return;
  }
  const Label done = out.code().label();
  if (is_walked(whose, scope)) {
    const Label unknown = walk_user_stack(frames, scope, out);
    out.code().emit(bpf::mov(Register::R3, Register::R0));
    out.address_of_state(Register::R1, offset);
    out.code().emit(bpf::mov(
        Register::R2,
        static_cast<std::int32_t>(std::min<std::uint32_t>(frames, KINST_FRAMES) * 8)));
    out.code().call(Helper::ProbeReadKernel);
    out.code().jump(done);
    out.code().bind(unknown);
  }
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.address_of_state(Register::R2, offset);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(frames * 8)));
  out.code().emit(bpf::mov(Register::R4, flags_of(whose, 0, scope)));
  out.code().call(Helper::GetStack);
  if (begins_behind_probe(whose, scope)) {
    const Label none = out.code().label();
    out.code().jump_if(Register::R0, Condition::SignedLess, 8, none);
    context_of(scope.context)
        .interrupted_register(scope.platform.instruction_pointer_offset, scope, out);
    out.store_state(Size::Double, offset, Register::R0);
    out.code().bind(none);
  }
  out.code().bind(done);
}

void generate_frame(StackOf whose, std::uint32_t frame, const Scope& scope,
                    Emitter& out) {
  if (!has_frames(whose, scope)) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Label done = out.code().label();
  if (is_walked(whose, scope)) {
    const Label unknown = walk_user_stack(frame + 1, scope, out);
    out.code().emit(bpf::mov(Register::R3, Register::R0));
    read_word(types::AddressSpace::Kernel, frame * 8, out);
    out.code().jump(done);
    out.code().bind(unknown);
  }
  const Temporary address = out.temporary();
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.address_of(Register::R2, address);
  out.code().emit(bpf::mov(Register::R3, 8));
  out.code().emit(bpf::mov(Register::R4, flags_of(whose, frame, scope)));
  out.code().call(Helper::GetStack);
  const Label found = out.code().label();
  out.code().jump_if(Register::R0, Condition::Equal, 8, found);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().jump(done);
  out.code().bind(found);
  out.load(Register::R0, address);
  out.code().bind(done);
}

void generate_depth(StackOf whose, std::uint32_t most, const Scope& scope,
                    Emitter& out) {
  if (!has_frames(whose, scope)) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  const Label no_frames = out.code().label();
  const Label done = out.code().label();
  if (is_walked(whose, scope)) {
    const Label unknown = walk_user_stack(most_frames, scope, out);
    out.code().emit(bpf::mov(Register::R3, Register::R0));
    out.code().emit(bpf::alu(Arithmetic::Add, Register::R3, -8));
    read_word(types::AddressSpace::Kernel, 0, out);
    out.code().jump(done);
    out.code().bind(unknown);
  }
  const Temporary cpu = out.temporary();
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
  out.code().emit(bpf::mov(Register::R4, flags_of(whose, 0, scope)));
  out.code().call(Helper::GetStack);
  out.code().jump_if(Register::R0, Condition::SignedLess, 0, no_frames);
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 3));
  out.code().jump(done);
  out.code().bind(no_frames);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(done);
  const Label in_limit = out.code().label();
  out.code().jump_if(Register::R0, Condition::LessOrEqual,
                     static_cast<std::int32_t>(most), in_limit);
  out.code().emit(bpf::mov(Register::R0, static_cast<std::int32_t>(most)));
  out.code().bind(in_limit);
}

}  // namespace kinst::codegen
