// Loads go through bpf_probe_read_*, which cannot fault the kernel. Stores are allowed
// to three regions: the map of globals, this CPU's this-> variables, and its scratch.
#include "codegen/memory.h"

#include <cstddef>
#include <optional>

#include "codegen/expression.h"
#include "codegen/string.h"

namespace kinst::codegen {
namespace {

// If the address in `address` lies in a region of `region_bytes` bytes whose first byte
// R1 points at, stores `value` there and goes to `done`.
void store_in_region(std::uint32_t region_bytes, const Temporary& address,
                     const Temporary& value, std::uint32_t size_bytes, Label done,
                     Emitter& out) {
  if (region_bytes < size_bytes) {
    return;
  }
  const Label elsewhere = out.code().label();
  out.code().emit(bpf::mov(Register::R2, Register::R1));
  out.pointer_to_number(Register::R2);
  out.load(Register::R3, address);
  out.code().emit(bpf::alu(Arithmetic::Subtract, Register::R3, Register::R2));
  out.code().jump_if(Register::R3, Condition::Greater,
                     static_cast<std::int32_t>(region_bytes - size_bytes), elsewhere);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R1, Register::R3));
  out.load(Register::R0, value);
  out.code().emit(bpf::store(size_of_bytes(size_bytes), Register::R1, 0, Register::R0));
  out.code().jump(done);
  out.code().bind(elsewhere);
}

// Scratch that has not been given out, or was to an earlier clause, is no memory of the
// program's, although it can be read.
void check_address(const Temporary& address, std::uint64_t bytes, const Scope& scope,
                   Emitter& out) {
  if (!scope.storage.points_to_scratch) {
    return;
  }
  out.load(Register::R1, address);
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(bytes)));
  out.code().call("kinst_check_address");
  out.leave_if_faulted();
}

}  // namespace

void extract_bits(const d::typed::BitField& field, bool is_signed, Emitter& out) {
  const auto above =
      static_cast<std::int32_t>(64 - field.offset_bits - field.width_bits);
  const auto below = static_cast<std::int32_t>(64 - field.width_bits);
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R0, above));
  out.code().emit(
      bpf::alu(is_signed ? Arithmetic::ShiftRightSigned : Arithmetic::ShiftRight,
               Register::R0, below));
}

void load_at(const Temporary& address, types::AddressSpace space, types::TypeId type,
             const Scope& scope, Emitter& out) {
  const std::uint64_t bytes = scope.types.size_of(type).value_or(8);
  if (space != types::AddressSpace::User) {
    check_address(address, bytes, scope, out);
  }
  const Temporary loaded = out.temporary();
  out.address_of(Register::R1, loaded);
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(bytes)));
  out.load(Register::R3, address);
  out.code().call(space == types::AddressSpace::User ? Helper::ProbeReadUser
                                                     : Helper::ProbeReadKernel);
  out.fault_if_negative(address);
  out.code().emit(
      bpf::load(size_of_bytes(bytes), Register::R0, Register::R10, loaded.offset()));
  if (scope.types.is_signed(type)) {
    extend(out, Register::R0, bytes, true);
  }
}

void generate_load(const d::typed::Load& node, types::TypeId type, const Scope& scope,
                   Emitter& out) {
  generate_value(*node.address, scope, out);
  if (scope.types.is_by_reference(type)) {
    return;
  }
  const Temporary address = out.saved(Register::R0);
  load_at(address, node.space, type, scope, out);
  if (node.bit_field) {
    extract_bits(*node.bit_field, scope.types.is_signed(type), out);
  }
}

void store_at(const Temporary& address, std::uint32_t size_bytes, const Scope& scope,
              Emitter& out) {
  const Temporary value = out.saved(Register::R0);
  const Label done = out.code().label();
  if (scope.storage.globals_bytes != 0) {
    out.code().load_map_value(Register::R1, scope.storage.globals, 0);
    store_in_region(scope.storage.globals_bytes, address, value, size_bytes, done, out);
  }
  if (scope.storage.this_bytes != 0) {
    out.address_of_state(Register::R1, scope.storage.this_offset);
    store_in_region(scope.storage.this_bytes, address, value, size_bytes, done, out);
  }
  out.load(Register::R1, address);
  out.address_of(Register::R2, value);
  out.pointer_to_number(Register::R2);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(size_bytes)));
  out.code().call("kinst_copy_to_scratch");
  out.leave_if_faulted();
  out.code().bind(done);
  out.load(Register::R0, value);
}

void copy_to(const Temporary& address, std::uint32_t size_bytes, const Scope& /*scope*/,
             Emitter& out) {
  const Temporary source = out.saved(Register::R0);
  out.load(Register::R1, address);
  out.load(Register::R2, source);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(size_bytes)));
  out.code().call("kinst_copy_to_scratch");
  out.leave_if_faulted();
  out.load(Register::R0, source);
}

void generate_record(const d::typed::RecordValue& node, types::TypeId type,
                     const Scope& scope, Emitter& out) {
  const auto bytes = static_cast<std::uint32_t>(scope.types.size_of(type).value_or(8));
  out.code().emit(bpf::mov(Register::R1, static_cast<std::int32_t>(bytes)));
  out.code().call("kinst_alloca");
  out.leave_if_faulted();
  const Temporary record = out.saved(Register::R0);
  literal_string("", scope, out);  // the constants' zeros
  copy_to(record, bytes, scope, out);
  for (const d::typed::RecordValue::Member& member : node.members) {
    const types::TypeId member_type = member.value->type;
    const auto member_bytes =
        static_cast<std::uint32_t>(scope.types.size_of(member_type).value_or(8));
    generate_value(*member.value, scope, out);
    const Temporary value = out.saved(Register::R0);
    out.load(Register::R0, record);
    out.code().emit(bpf::alu(Arithmetic::Add, Register::R0,
                             static_cast<std::int32_t>(member.offset)));
    const Temporary place = out.saved(Register::R0);
    out.load(Register::R0, value);
    if (!scope.types.is_by_reference(member_type)) {
      out.address_of(Register::R0, value);
      out.pointer_to_number(Register::R0);
    }
    copy_to(place, member_bytes, scope, out);
  }
  out.load(Register::R0, record);
}

}  // namespace kinst::codegen
