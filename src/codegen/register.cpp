// A constant index is one load; another index is compared with each register there is.
#include "codegen/register.h"

#include <variant>

#include "codegen/expression.h"

namespace kinst::codegen {
namespace {

// Jumps through the registers that have an offset: load(offset) for the one whose
// number is in R0, else the clause fails.
template <typename LoadOffset>
void for_index(const d::typed::Expression& index, const Scope& scope, Emitter& out,
               const LoadOffset& load_offset) {
  const auto& offsets = scope.platform.register_offsets;
  if (const auto* constant = std::get_if<d::typed::IntegerValue>(&index.node)) {
    if (constant->value < offsets.size() && offsets[constant->value]) {
      load_offset(*offsets[constant->value]);
    } else {
      out.code().emit(bpf::mov(Register::R1, 0));
      out.fault(KINST_FAULT_BADINDEX);
    }
    return;
  }
  generate_value(index, scope, out);
  const Temporary number = out.saved(Register::R0);
  const Label done = out.code().label();
  for (std::size_t candidate = 0; candidate < offsets.size(); ++candidate) {
    if (!offsets[candidate]) {
      continue;
    }
    const Label next = out.code().label();
    out.load(Register::R0, number);
    out.code().jump_if(Register::R0, Condition::NotEqual,
                       static_cast<std::int32_t>(candidate), next);
    load_offset(*offsets[candidate]);
    out.code().jump(done);
    out.code().bind(next);
  }
  out.code().emit(bpf::mov(Register::R1, 0));
  out.fault(KINST_FAULT_BADINDEX);
  out.code().bind(done);
}

}  // namespace

void load_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  if (scope.context == ContextKind::Own) {
    out.code().emit(bpf::mov(Register::R0, 0));  // no probe, so no registers
    return;
  }
  out.code().emit(bpf::load(Size::Double, Register::R0, context_register,
                            static_cast<std::int16_t>(offset)));
  if (scope.context == ContextKind::KernelInstruction &&
      offset == scope.platform.instruction_pointer_offset) {
    out.code().emit(
        bpf::alu(Arithmetic::Subtract, Register::R0,
                 static_cast<std::int32_t>(scope.platform.instruction_pointer_excess)));
  }
}

void generate_register(const d::typed::Expression& index, const Scope& scope,
                       Emitter& out) {
  for_index(index, scope, out,
            [&](std::uint32_t offset) { load_register(offset, scope, out); });
}

void generate_user_register(const d::typed::Expression& index, const Scope& scope,
                            Emitter& out) {
  for_index(index, scope, out, [&](std::uint32_t offset) {
    const Temporary value = out.temporary();
    out.code().call(Helper::GetCurrentTaskBtf);
    out.code().emit(bpf::mov(Register::R1, Register::R0));
    out.code().call(Helper::TaskPtRegs);
    out.code().emit(bpf::mov(Register::R3, Register::R0));
    out.code().emit(
        bpf::alu(Arithmetic::Add, Register::R3, static_cast<std::int32_t>(offset)));
    out.address_of(Register::R1, value);
    out.code().emit(bpf::mov(Register::R2, 8));
    out.code().call(Helper::ProbeReadKernel);
    const Label read = out.code().label();
    out.code().jump_if(Register::R0, Condition::Equal, 0, read);
    out.code().emit(bpf::mov(Register::R0, 0));
    out.store(value, Register::R0);
    out.code().bind(read);
    out.load(Register::R0, value);
  });
}

}  // namespace kinst::codegen
