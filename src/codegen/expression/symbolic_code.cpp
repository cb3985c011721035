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
  switch (record::form_of(meaning)) {
    case record::Form::Value:
    case record::Form::Address:
    case record::Form::UserAddress:
      return true;
    case record::Form::Frames:
    case record::Form::UserFrames:
    case record::Form::ProbeKey:
      return false;
  }
  return false;
}

void store_symbolic(const record::Field& field, std::uint32_t offset,
                    const Temporary* value, const Scope& scope, Emitter& out) {
  switch (record::form_of(field.meaning)) {
    case record::Form::Frames:
      record_stack(StackOf::Kernel, offset, field.size_bytes / 8, scope, out);
      return;
    case record::Form::UserFrames:
      store_process(offset, scope, out);
      record_stack(StackOf::User, offset + 8, field.size_bytes / 8 - 1, scope, out);
      return;
    case record::Form::Value:
    case record::Form::Address:
      out.load(Register::R0, *value);
      break;
    case record::Form::UserAddress:
      store_process(offset, scope, out);
      offset += 8;
      out.load(Register::R0, *value);
      break;
    case record::Form::ProbeKey:
      generate_probe_key(out);
      break;
  }
  out.store_state(Size::Double, offset, Register::R0);
}

}  // namespace kinst::codegen
