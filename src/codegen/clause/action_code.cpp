// Recording actions store their arguments into the record; the others act on the spot.
#include "codegen/clause/action_code.h"

#include <cassert>
#include <csignal>
#include <cstddef>

#include "codegen/clause/speculation.h"
#include "codegen/expression/expression.h"
#include "codegen/expression/string.h"
#include "codegen/expression/symbolic_code.h"

namespace kinst::codegen {
namespace {

void store_value(const record::Field& field, std::uint32_t offset, const Scope& scope,
                 Emitter& out) {
  if (!scope.types.is_by_reference(field.type)) {
    out.store_state(size_of_bytes(field.size_bytes), offset, Register::R0);
    return;
  }
  const Temporary address = out.saved(Register::R0);
  if (!scope.types.is_string(field.type)) {
    out.address_of_state(Register::R1, offset);
    copy_bytes(Register::R1, field.size_bytes, address, out);
    return;
  }
  // NULL is at no address: the clause fails, as in DTrace.
  out.address_of_state(Register::R1, offset);
  copy_string(Register::R1, field.size_bytes, address, out);
}

// print(p): the bytes at the pointer that is recorded in front of them.
void record_pointee(const d::typed::Expression& pointer, const record::Action& recorded,
                    const Scope& scope, Emitter& out) {
  const record::Field& pointee = recorded.fields.back();
  out.load_state(Size::Double, Register::R0,
                 scope.storage.record_offset + recorded.fields.front().offset);
  const Temporary address = out.saved(Register::R0);
  const auto* type = std::get_if<types::Pointer>(&scope.types.resolved(pointer.type));
  out.address_of_state(Register::R1, scope.storage.record_offset + pointee.offset);
  out.code().emit(
      bpf::mov(Register::R2, static_cast<std::int32_t>(pointee.size_bytes)));
  out.load(Register::R3, address);
  out.code().call(type != nullptr && type->space == types::AddressSpace::User
                      ? Helper::ProbeReadUser
                      : Helper::ProbeReadKernel);
  out.fault_if_negative(address);
}

void set_guard(const record::Action& recorded, const Scope& scope, Emitter& out) {
  if (recorded.guard_offset) {
    out.store_state(Size::Byte, scope.storage.record_offset + *recorded.guard_offset,
                    1);
  }
}

// A word at an address, by way of a place of the state.
void read_word(const Temporary& address, std::int32_t offset, std::uint32_t place,
               Emitter& out) {
  out.address_of_state(Register::R1, place);
  out.code().emit(bpf::mov(Register::R2, 8));
  out.load(Register::R3, address);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R3, offset));
  out.code().call(Helper::ProbeReadKernel);
  out.fault_if_negative(address);
  out.load_state(Size::Double, Register::R0, place);
}

// printm(size, reference): the memory that memref() referred to, up to the size.
void record_referred(const d::typed::Expression& reference,
                     const record::Action& recorded, const Scope& scope, Emitter& out) {
  const record::Field& bytes = recorded.fields.front();
  const std::uint32_t count = scope.storage.record_offset + recorded.fields[1].offset;
  generate_value(reference, scope, out);
  const Temporary words = out.saved(Register::R0);
  read_word(words, 0, count, out);
  const Temporary address = out.saved(Register::R0);
  read_word(words, 8, count, out);
  const auto most = static_cast<std::int32_t>(bytes.size_bytes);
  const Label fits = out.code().label();
  out.code().emit(bpf::mov(Register::R2, Register::R0));
  out.code().jump_if(Register::R2, Condition::LessOrEqual, most, fits);
  out.code().emit(bpf::mov(Register::R2, most));
  out.code().bind(fits);
  out.address_of_state(Register::R1, scope.storage.record_offset + bytes.offset);
  out.load(Register::R3, address);
  out.code().call(Helper::ProbeReadKernel);
  out.fault_if_negative(address);
}

void record_fields(const d::typed::ActionCall& call, const record::Action& recorded,
                   const Scope& scope, Emitter& out) {
  if (call.action == d::Action::Printm) {
    record_referred(*call.arguments.front(), recorded, scope, out);
    set_guard(recorded, scope, out);
    return;
  }
  for (std::size_t argument = 0; argument < call.arguments.size(); ++argument) {
    const record::Field& field = recorded.fields[argument];
    const std::uint32_t offset = scope.storage.record_offset + field.offset;
    if (field.meaning == record::Meaning::Value) {
      generate_value(*call.arguments[argument], scope, out);
      store_value(field, offset, scope, out);
    } else if (is_computed(field.meaning)) {
      const auto& symbolic =
          std::get<d::typed::SymbolicValue>(call.arguments[argument]->node);
      generate_value(*symbolic.address, scope, out);
      const Temporary address = out.saved(Register::R0);
      store_symbolic(field, offset, &address, scope, out);
    } else {
      store_symbolic(field, offset, nullptr, scope, out);
    }
  }
  if (recorded.fields.size() > call.arguments.size()) {
    record_pointee(*call.arguments.front(), recorded, scope, out);
  }
  set_guard(recorded, scope, out);
}

// exit(status): everything but END stops at once, whatever becomes of the record.
void generate_exit(const record::Action& recorded, const Scope& scope, Emitter& out) {
  const std::uint32_t status =
      scope.storage.record_offset + recorded.fields.front().offset;
  out.load_state(Size::Word, Register::R2, status);
  out.code().load_map_value(Register::R1, scope.storage.control, 0);
  out.code().emit(bpf::store(Size::Double, Register::R1,
                             offsetof(kinst_control, exit_status), Register::R2));
  out.code().emit(
      bpf::store(Size::Double, Register::R1, offsetof(kinst_control, exiting), 1));
  out.code().emit(
      bpf::store(Size::Double, Register::R1, offsetof(kinst_control, active), 0));
}

void send_signal(Emitter& out) {
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  out.code().call(Helper::SendSignal);
}

}  // namespace

void generate_action(const d::typed::ActionCall& call, const record::Action* recorded,
                     const Scope& scope, Emitter& out) {
  if (recorded != nullptr) {
    record_fields(call, *recorded, scope, out);
  }
  switch (call.action) {
    case d::Action::Exit:
      assert(recorded != nullptr);
      generate_exit(*recorded, scope, out);
      break;
    case d::Action::Raise:
      generate_value(*call.arguments.front(), scope, out);
      send_signal(out);
      break;
    case d::Action::Stop:
      out.code().emit(bpf::mov(Register::R0, SIGSTOP));
      send_signal(out);
      break;
    case d::Action::Chill:
      generate_value(*call.arguments.front(), scope, out);
      out.code().emit(bpf::mov(Register::R1, Register::R0));
      out.code().call("kinst_chill");
      out.leave_if_faulted();
      break;
    case d::Action::Speculate:
      generate_speculate(call, scope, out);
      break;
    case d::Action::Commit:
    case d::Action::Discard:
      assert(recorded != nullptr);
      generate_end_of_speculation(*recorded, scope, out);
      break;
    case d::Action::Clear:
    case d::Action::Denormalize:
    case d::Action::Freopen:
    case d::Action::Ftruncate:
    case d::Action::Normalize:
    case d::Action::Print:
    case d::Action::Printa:
    case d::Action::Printf:
    case d::Action::Printm:
    case d::Action::Setopt:
    case d::Action::System:
    case d::Action::Trace:
    case d::Action::Tracemem:
    case d::Action::Trunc:
      assert(recorded != nullptr);  // the consumer does it
      break;
  }
}

}  // namespace kinst::codegen
