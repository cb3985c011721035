// Each is one load: the index is a constant.
#include "codegen/expression/register.h"

#include <variant>

#include "codegen/context/context.h"
#include "codegen/expression/expression.h"

namespace kinst::codegen {
namespace {

// The checker lets constants in range through only.
std::uint64_t register_number(const d::typed::Expression& index) {
  return std::get<d::typed::IntegerValue>(index.node).value;
}

}  // namespace

void generate_register(const d::typed::Expression& index, const Span& span,
                       const Scope& scope, Emitter& out) {
  const auto& offset = scope.platform.register_offsets.at(register_number(index));
  if (!offset) {
    out.refuse(span, "D_REGS_IDX",
               "this register is not saved where a probe fires; uregs[] has the "
               "process's");
    return;
  }
  const Context& context = context_of(scope.context);
  if (context.interrupted_register != nullptr) {
    context.interrupted_register(*offset, scope, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, 0));
  }
}

void load_user_register(std::uint32_t offset, const Scope& scope, Emitter& out) {
  if (context_of(scope.context).is_in_user_code) {
    load_saved_register(offset, scope, out);
    return;
  }
  out.code().call(Helper::GetCurrentTaskBtf);
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  out.code().call(Helper::TaskPtRegs);
  out.code().emit(bpf::mov(Register::R3, Register::R0));
  read_word(types::AddressSpace::Kernel, offset, out);
}

void generate_user_register(const d::typed::Expression& index, const Span& span,
                            const Scope& scope, Emitter& out) {
  const std::uint64_t number = register_number(index);
  if (const auto& offset = scope.platform.register_offsets.at(number)) {
    load_user_register(*offset, scope, out);
    return;
  }
  const auto& member = scope.platform.thread_registers.at(number);
  if (!member) {
    out.refuse(span, "D_UNKNOWN",
               "this register is found by the kernel's types, /sys/kernel/btf/vmlinux "
               "(CONFIG_DEBUG_INFO_BTF)");
    return;
  }
  read_task_member(member->offset_bytes, static_cast<std::int32_t>(member->size_bytes),
                   out);
}

}  // namespace kinst::codegen
