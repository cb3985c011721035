// A place in a module that was not loaded when the program was compiled. Its address is
// not known then and changes with each loading. Of a place that the kernel finds by
// name the probe is what was given to the kernel for it to keep. Places that were
// looked for when the module was there share events, and are in the map of breakpoints
// for as long as the module stays.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

// R0 = the key of a function's end, of which there are two at its address.
template <provider::KeySpace space>
void load_end(const Scope& /*scope*/, Emitter& out) {
  load_probed_function(out);
  load_key_in(space, out);
}

template <void (*load_place)(const Scope& scope, Emitter& out)>
void identify(const Scope& scope, Label not_ours, Emitter& out) {
  load_cookie(out);
  if (!scope.storage.breakpoints) {
    return;
  }
  const Label known = out.code().label();
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, known);
  load_place(scope, out);
  find_breakpoint_row(scope, not_ours, out);
  out.code().emit(bpf::load(Size::Double, Register::R0, Register::R0,
                            offsetof(BreakpointRow, probe)));
  out.code().bind(known);
}

void entry_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  load_entry_register(offset, load_probed_function, scope, out);
}

}  // namespace

const Context coming_entry_context = {
    .name = "coming function entry",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .begins_behind_probe = true,
    .identify = identify<load_end<provider::KeySpace::FunctionEntry>>,
    .argument = load_kernel_argument,
    .interrupted_register = entry_register,
};

const Context coming_return_context = {
    .name = "coming function return",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .identify = identify<load_end<provider::KeySpace::FunctionReturn>>,
    .argument = load_function_result,
    .interrupted_register = load_saved_register,
};

const Context coming_instruction_context = {
    .name = "coming instruction",
    .program = bpf::ProgramType::Kprobe,
    .serves_many = true,
    .has_counted_hits = true,
    .begins_behind_probe = true,
    .identify = identify<load_breakpoint_address>,
    .argument = load_kernel_argument,
    .interrupted_register = load_breakpoint_register,
};

}  // namespace kinst::codegen
