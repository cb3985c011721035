// Loads call bpf_probe_read_*, which cannot fault the kernel. Stores are allowed to
// three regions: the map of globals, this CPU's this-> variables, and its scratch
// memory.
#include "codegen/expression/memory_code.h"

#include <cstddef>
#include <optional>

#include "codegen/expression/expression.h"
#include "codegen/expression/string.h"

namespace kinst::codegen {
namespace {

// R1 must point to the first byte of a region of `region_bytes` bytes. If the address
// in `address` is in the region, with room for `size_bytes`, R1 points there
// afterwards; otherwise jumps to `elsewhere`.
void point_into_region(std::uint32_t region_bytes, const Temporary& address,
                       std::uint32_t size_bytes, Label elsewhere, Emitter& out) {
  out.code().emit(bpf::mov(Register::R2, Register::R1));
  out.pointer_to_number(Register::R2);
  out.load(Register::R3, address);
  out.code().emit(bpf::alu(Arithmetic::Subtract, Register::R3, Register::R2));
  out.code().jump_if(Register::R3, Condition::Greater,
                     static_cast<std::int32_t>(region_bytes - size_bytes), elsewhere);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R1, Register::R3));
}

// Where a store goes.
struct Destination {
  const Temporary& address;
  std::uint32_t size_bytes = 0;
};

// If the destination is within a global or this-> variable, generates `write` with R1
// pointing to it and then jumps to `done`.
template <typename Write>
void write_to_variables(const Destination& destination, const Write& write, Label done,
                        const Scope& scope, Emitter& out) {
  const auto& [address, size_bytes] = destination;
  const std::uint32_t global_bytes = scope.storage.globals_bytes;
  if (global_bytes >= size_bytes) {
    const Label elsewhere = out.code().label();
    out.code().load_map_value(Register::R1, scope.storage.globals, 0);
    point_into_region(global_bytes, address, size_bytes, elsewhere, out);
    write();
    out.code().jump(done);
    out.code().bind(elsewhere);
  }
  const std::uint32_t this_bytes = scope.storage.this_bytes;
  if (this_bytes >= size_bytes) {
    const Label elsewhere = out.code().label();
    out.address_of_state(Register::R1, scope.storage.this_offset);
    point_into_region(this_bytes, address, size_bytes, elsewhere, out);
    write();
    out.code().jump(done);
    out.code().bind(elsewhere);
  }
}

void copy_to_scratch(std::string_view function, const Temporary& address,
                     std::uint32_t size_bytes, const Temporary& source, Emitter& out) {
  out.load(Register::R1, address);
  out.load(Register::R2, source);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(size_bytes)));
  out.code().call(function);
  out.leave_if_faulted();
}

// A string, or a string that becomes an array of char: its bytes end with its zero.
bool is_text(const d::typed::Expression& value, const Scope& scope) {
  const auto* convert = std::get_if<d::typed::Convert>(&value.node);
  return scope.types.is_string(value.type) ||
         (convert != nullptr && scope.types.is_by_reference(value.type) &&
          scope.types.is_string(convert->operand->type));
}

// Faults if the address is in scratch memory that has not been given out in this
// firing. Such memory could be read, but does not belong to the program.
void check_address(const Temporary& address, std::uint64_t bytes, const Scope& scope,
                   Emitter& out) {
  if (!scope.storage.needs.has(d::Need::ScratchPointers)) {
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
  const auto store = [&] {
    out.load(Register::R0, value);
    out.code().emit(
        bpf::store(size_of_bytes(size_bytes), Register::R1, 0, Register::R0));
  };
  write_to_variables({address, size_bytes}, store, done, scope, out);
  out.load(Register::R1, address);
  out.address_of(Register::R2, value);
  out.pointer_to_number(Register::R2);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(size_bytes)));
  out.code().call("kinst_copy_to_scratch");
  out.leave_if_faulted();
  out.code().bind(done);
  out.load(Register::R0, value);
}

void copy_to(const Temporary& address, std::uint32_t size_bytes, const Scope& scope,
             Emitter& out) {
  const Temporary source = out.saved(Register::R0);
  const Label done = out.code().label();
  const auto copy = [&] { copy_bytes(Register::R1, size_bytes, source, out); };
  write_to_variables({address, size_bytes}, copy, done, scope, out);
  copy_to_scratch("kinst_copy_to_scratch", address, size_bytes, source, out);
  out.code().bind(done);
  out.load(Register::R0, source);
}

void generate_record(const d::typed::RecordValue& node, types::TypeId type,
                     const Scope& scope, Emitter& out) {
  const auto bytes = static_cast<std::uint32_t>(scope.types.size_of(type).value_or(8));
  out.code().emit(bpf::mov(Register::R1, static_cast<std::int32_t>(bytes)));
  out.code().call("kinst_new_record");  // of zeros
  out.leave_if_faulted();
  const Temporary record = out.saved(Register::R0);
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
    if (is_text(*member.value, scope)) {
      copy_to_scratch("kinst_copy_text_to_scratch", place, member_bytes, value, out);
    } else if (scope.types.is_by_reference(member_type)) {
      copy_to_scratch("kinst_copy_to_scratch", place, member_bytes, value, out);
    } else {
      out.address_of(Register::R0, value);
      out.pointer_to_number(Register::R0);
      const Temporary bytes_of_value = out.saved(Register::R0);
      copy_to_scratch("kinst_copy_to_scratch", place, member_bytes, bytes_of_value,
                      out);
    }
  }
  out.load(Register::R0, record);
}

}  // namespace kinst::codegen
