// A constant index is one load; another index is compared with each register there is.
#include "codegen/register.h"

#include <variant>

#include "codegen/context.h"
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

void generate_register(const d::typed::Expression& index, const Scope& scope,
                       Emitter& out) {
  const Context& context = context_of(scope.context);
  for_index(index, scope, out, [&](std::uint32_t offset) {
    if (context.interrupted_register != nullptr) {
      context.interrupted_register(offset, scope, out);
    } else {
      out.code().emit(bpf::mov(Register::R0, 0));
    }
  });
}

bool is_in_user_code(ContextKind context) {
  return context == ContextKind::UserEntry || context == ContextKind::UserReturn ||
         context == ContextKind::UserInstruction;
}

void load_user_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  if (is_in_user_code(scope.context)) {
    load_saved_register(offset, scope, out);
    return;
  }
  out.code().call(Helper::GetCurrentTaskBtf);
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  out.code().call(Helper::TaskPtRegs);
  out.code().emit(bpf::mov(Register::R3, Register::R0));
  read_word(types::AddressSpace::Kernel, offset, out);
}

void generate_user_register(const d::typed::Expression& index, const Scope& scope,
                            Emitter& out) {
  for_index(index, scope, out,
            [&](std::uint32_t offset) { load_user_register(offset, scope, out); });
}

}  // namespace kinst::codegen
