// A kernel function's beginning and return, by kprobes and what replaces them. The
// context is a pt_regs; the instruction pointer in it depends on how the kernel traces,
// so the function is asked for. fentry and fexit have a program for each function and
// know its arguments and result, but no registers.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

// R0 = the key made of the function's address.
template <provider::KeySpace space>
void identify(const Scope& /*scope*/, Label /*not_ours*/, Emitter& out) {
  load_probed_function(out);
  load_key_in(space, out);
}

void entry_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  load_entry_register(offset, load_probed_function, scope, out);
}

// R0 = what the helper writes, for arguments that stand before.
void load_by_helper(Helper helper, Register destination, Emitter& out) {
  const Temporary value = out.temporary();
  out.code().emit(bpf::mov(Register::R0, 0));
  out.store(value, Register::R0);
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.address_of(destination, value);
  out.code().call(helper);
  out.load(Register::R0, value);
}

void traced_argument(std::uint32_t number, const Scope& /*scope*/, Emitter& out) {
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(number)));
  load_by_helper(Helper::GetFuncArg, Register::R3, out);
}

void traced_result(std::uint32_t number, const Scope& scope, Emitter& out) {
  if (number == 1) {
    load_by_helper(Helper::GetFuncRet, Register::R2, out);
    extend_result(scope, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, number == 0 ? -1 : 0));
  }
}

}  // namespace

const Context traced_entry_context = {
    .name = "fentry",
    .program = bpf::ProgramType::Tracing,
    .has_own_frames = true,
    .argument = traced_argument,
};

const Context traced_return_context = {
    .name = "fexit",
    .program = bpf::ProgramType::Tracing,
    .has_own_frames = true,
    .argument = traced_result,
};

const Context function_entry_context = {
    .name = "function entry",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .begins_behind_probe = true,
    .identify = identify<provider::KeySpace::FunctionEntry>,
    .argument = load_kernel_argument,
    .interrupted_register = entry_register,
};

const Context function_return_context = {
    .name = "function return",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .identify = identify<provider::KeySpace::FunctionReturn>,
    .argument = load_function_result,
    .interrupted_register = load_saved_register,
};

}  // namespace kinst::codegen
