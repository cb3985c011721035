// A variable has the same place at all probes of a program (plan.h).
#include "codegen/expression/local.h"

#include <cstddef>

#include "codegen/expression/expression.h"
#include "codegen/expression/memory_code.h"
#include "codegen/expression/operand.h"

namespace kinst::codegen {

void generate_local(const d::typed::LocalValue& node,
                    const d::typed::Expression& expression, const Scope& scope,
                    Emitter& out) {
  using Kind = kernel::VariableLocation::Kind;
  const types::TypeId type = expression.type;
  const kernel::VariableLocation& place =
      scope.locals[static_cast<std::size_t>(node.local)];
  const bool is_by_reference = scope.types.is_by_reference(type);
  if (place.kind == Kind::Unavailable ||
      (is_by_reference && place.kind != Kind::Memory)) {
    out.refuse(expression.span, "D_LOCAL_NONE",
               "the variable has no place in memory there to take its members from");
    return;
  }
  load_register_id(place.base, scope, out);
  out.code().load_constant(Register::R1, static_cast<std::uint64_t>(place.offset));
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
  if (place.kind != Kind::Memory) {
    extend(out, Register::R0, scope.types.size_of(type).value_or(8),
           scope.types.is_signed(type));
  } else if (!is_by_reference) {
    const Temporary address = out.saved(Register::R0);
    load_at(address, types::AddressSpace::Kernel, type, scope, out);
  }
}

}  // namespace kinst::codegen
