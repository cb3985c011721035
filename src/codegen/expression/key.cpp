// Fills in this CPU's key.
#include "codegen/expression/key.h"

#include "codegen/expression/expression.h"
#include "codegen/expression/string.h"

namespace kinst::codegen {
namespace {

// R0 = a number for the current thread: its id. All idle threads have id 0, so theirs
// is a number made from the CPU's.
void generate_thread(Emitter& out) {
  constexpr std::uint64_t idle = std::uint64_t{1} << 32U;
  const Label done = out.code().label();
  out.code().call(Helper::GetCurrentPidTgid);
  out.code().emit(bpf::mov32(Register::R0, Register::R0));
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, done);
  out.code().call(Helper::GetSmpProcessorId);
  out.code().load_constant(Register::R1, idle);
  out.code().emit(bpf::alu(Arithmetic::Or, Register::R0, Register::R1));
  out.code().bind(done);
}

}  // namespace

KeyValues generate_key_values(const std::vector<d::typed::ExpressionPointer>& keys,
                              const Scope& scope, Emitter& out) {
  KeyValues values;
  for (const d::typed::ExpressionPointer& key : keys) {
    generate_value(*key, scope, out);
    values.push_back(out.saved(Register::R0));
  }
  return values;
}

void store_key_part(const Temporary& value, const KeyPart& part, const Scope& scope,
                    Emitter& out) {
  if (!scope.types.is_by_reference(part.type)) {
    out.load(Register::R0, value);
    out.store_state(Size::Double, part.offset, Register::R0);
    return;
  }
  zero_state(part.offset, (part.bytes + 7) / 8 * 8, scope, out);
  out.address_of_state(Register::R1, part.offset);
  if (scope.types.is_string(part.type)) {
    // As a key, NULL equals the empty string.
    const Label done = out.code().label();
    out.load(Register::R0, value);
    out.code().jump_if(Register::R0, Condition::Equal, 0, done);
    copy_string(Register::R1, part.bytes, value, out);
    out.code().bind(done);
  } else {
    copy_bytes(Register::R1, part.bytes, value, out);
  }
}

void store_dynamic_key(d::typed::VariableId variable, const KeyValues& values,
                       const Scope& scope, Emitter& out) {
  const auto number = static_cast<std::uint32_t>(variable);
  const d::typed::Variable& declared = scope.program.variables[number];
  std::uint32_t offset = scope.storage.key_offset;
  out.store_state(Size::Double, offset, static_cast<std::int32_t>(number));
  offset += 8;
  if (declared.scope == d::typed::VariableScope::Thread) {
    generate_thread(out);
    out.store_state(Size::Double, offset, Register::R0);
    offset += 8;
  }
  for (std::size_t part = 0; part < values.size(); ++part) {
    const types::TypeId type = declared.key_types[part];
    const std::uint32_t bytes = stored_bytes(scope.types, type);
    store_key_part(values[part], {.type = type, .offset = offset, .bytes = bytes},
                   scope, out);
    offset += (bytes + 7) / 8 * 8;
  }
}

}  // namespace kinst::codegen
