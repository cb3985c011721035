// A place in a user program: the context is the program's pt_regs, and the probe is
// what was given to the kernel for it to keep (its cookie). The instruction pointer
// would not do: where a function has returned it is the caller's.
#include "codegen/context.h"

namespace kinst::codegen {
namespace {

void identify(const Scope& /*scope*/, Label /*not_ours*/, Emitter& out) {
  out.code().emit(bpf::mov(Register::R1, context_register));
  out.code().call(Helper::GetAttachCookie);
}

void entry_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  load_function_argument(number, types::AddressSpace::User, scope, out);
}

}  // namespace

const Context user_entry_context = {
    .name = "user function entry",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .attach_type = &Platform::user_attach_type,
    .identify = identify,
    .argument = entry_argument,
    .interrupted_register = load_saved_register,
};

const Context user_return_context = {
    .name = "user function return",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .attach_type = &Platform::user_attach_type,
    .identify = identify,
    .argument = load_function_result,
    .interrupted_register = load_saved_register,
};

const Context user_instruction_context = {
    .name = "user instruction",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .attach_type = &Platform::user_attach_type,
    .identify = identify,
    .interrupted_register = load_saved_register,
};

}  // namespace kinst::codegen
