// A user-space address is recorded with its process, because it means nothing without
// it.
#include "codegen/expression/symbolic_code.h"

#include "codegen/expression/builtin_code.h"
#include "codegen/expression/identity.h"
#include "codegen/expression/stack.h"

namespace kinst::codegen {
namespace {

void store_process(std::uint32_t offset, const Scope& scope, Emitter& out) {
  generate_current_numbers(scope, out);
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 32));
  out.store_state(Size::Double, offset, Register::R0);
}

}  // namespace

bool is_computed(record::Meaning meaning) {
  switch (meaning) {
    case record::Meaning::Value:
    case record::Meaning::Symbol:
    case record::Meaning::Function:
    case record::Meaning::Module:
    case record::Meaning::UserAddress:
    case record::Meaning::UserSymbol:
    case record::Meaning::UserFunction:
    case record::Meaning::UserModule:
      return true;
    default:
      return false;
  }
}

void store_symbolic(const record::Field& field, std::uint32_t offset,
                    const Temporary* value, const Scope& scope, Emitter& out) {
  switch (field.meaning) {
    case record::Meaning::Stack:
      record_stack(StackOf::Kernel, offset, field.size_bytes / 8, scope, out);
      return;
    case record::Meaning::UserStack:
      store_process(offset, scope, out);
      record_stack(StackOf::User, offset + 8, field.size_bytes / 8 - 1, scope, out);
      return;
    case record::Meaning::Symbol:
    case record::Meaning::Function:
    case record::Meaning::Module:
      out.load(Register::R0, *value);
      break;
    case record::Meaning::UserAddress:
    case record::Meaning::UserSymbol:
    case record::Meaning::UserFunction:
    case record::Meaning::UserModule:
      store_process(offset, scope, out);
      offset += 8;
      out.load(Register::R0, *value);
      break;
    default:
      generate_probe_key(out);
      break;
  }
  out.store_state(Size::Double, offset, Register::R0);
}

}  // namespace kinst::codegen
