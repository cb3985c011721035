// Variables have the places that storage gave them. The left side of `=` is evaluated
// once, into temporaries, and then read and written.
#include "codegen/expression/variable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "codegen/expression/expression.h"
#include "codegen/expression/key.h"
#include "codegen/expression/memory_code.h"
#include "codegen/expression/string.h"

namespace kinst::codegen {
namespace {

const VariablePlace& place_of(d::typed::VariableId variable, const Scope& scope) {
  return scope.storage.variables[static_cast<std::size_t>(variable)];
}

// R0 = a pointer to the dynamic variable whose key is in the state; null if it does not
// exist.
void look_up(const DynamicPlace& place, const Scope& scope, Emitter& out) {
  out.code().load_map(Register::R1, place.map);
  out.address_of_state(Register::R2, scope.storage.key_offset);
  out.code().call(Helper::MapLookup);
}

// Like look_up(), but a variable that does not exist is created with zeros. Null only
// if there is no room; a drop is counted then.
void look_up_or_make(const DynamicPlace& place, const Scope& scope, Emitter& out) {
  const Label found = out.code().label();
  look_up(place, scope, out);
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, found);
  out.code().load_map(Register::R1, place.map);
  out.address_of_state(Register::R2, scope.storage.key_offset);
  out.code().load_map_value(Register::R3, scope.storage.constants, 0);
  out.code().emit(bpf::mov(Register::R4, BPF_NOEXIST));
  out.code().call(Helper::MapUpdate);
  look_up(place, scope, out);
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, found);
  out.count(offsetof(kinst_counters, dynamic_drops));
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(found);
}

void remove(const DynamicPlace& place, const Scope& scope, Emitter& out) {
  out.code().load_map(Register::R1, place.map);
  out.address_of_state(Register::R2, scope.storage.key_offset);
  out.code().call(Helper::MapDelete);
}

// Loads the value of the variable to which R0 points into R0.
void value_at_pointer(types::TypeId type, const Scope& scope, Emitter& out) {
  if (scope.types.is_by_reference(type)) {
    out.pointer_to_number(Register::R0);
    return;
  }
  const std::uint32_t bytes = stored_bytes(scope.types, type);
  out.code().emit(bpf::load(size_of_bytes(bytes), Register::R0, Register::R0, 0));
  if (scope.types.is_signed(type)) {
    extend(out, Register::R0, bytes, true);
  }
}

// Marks a string variable that always exists as NULL or not NULL. It is NULL while its
// last byte, which no string's text reaches, is not 0.
void mark_null(Register string, types::TypeId type, std::int32_t is_null,
               const Scope& scope, Emitter& out) {
  const auto last = static_cast<std::int16_t>(stored_bytes(scope.types, type) - 1);
  out.code().emit(bpf::store(Size::Byte, string, last, is_null));
}

// Loads the value of a variable that always exists, to which R0 points, into R0.
void static_value_at_pointer(types::TypeId type, const Scope& scope, Emitter& out) {
  if (!scope.types.is_string(type)) {
    value_at_pointer(type, scope, out);
    return;
  }
  const auto last = static_cast<std::int16_t>(stored_bytes(scope.types, type) - 1);
  const Label is_null = out.code().label();
  const Label done = out.code().label();
  out.code().emit(bpf::load(Size::Byte, Register::R1, Register::R0, last));
  out.code().jump_if(Register::R1, Condition::NotEqual, 0, is_null);
  value_at_pointer(type, scope, out);
  out.code().jump(done);
  out.code().bind(is_null);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(done);
}

// R0 = the value of the dynamic variable whose key is in the state.
void read_dynamic(const DynamicPlace& place, types::TypeId type, const Scope& scope,
                  Emitter& out) {
  const Label absent = out.code().label();
  const Label done = out.code().label();
  look_up(place, scope, out);
  out.code().jump_if(Register::R0, Condition::Equal, 0, absent);
  value_at_pointer(type, scope, out);
  out.code().jump(done);
  out.code().bind(absent);
  if (scope.types.is_by_reference(type) && !scope.types.is_string(type)) {
    literal_string("", scope, out);  // the constants' zeros
  } else {
    out.code().emit(bpf::mov(Register::R0, 0));  // for a string: NULL
  }
  out.code().bind(done);
}

// Copies the bytes at the address in `source` to R1.
void copy_by_reference(types::TypeId type, const Temporary& source, const Scope& scope,
                       Emitter& out) {
  const std::uint32_t bytes = stored_bytes(scope.types, type);
  if (scope.types.is_string(type)) {
    copy_string(Register::R1, bytes, source, out);
  } else {
    copy_bytes(Register::R1, bytes, source, out);
  }
}

// Stores `value` to the dynamic variable whose key is in the state. Storing 0 frees the
// variable.
void write_dynamic(const DynamicPlace& place, types::TypeId type,
                   const Temporary& value, const Scope& scope, Emitter& out) {
  const bool is_by_reference = scope.types.is_by_reference(type);
  const Label not_zero = out.code().label();
  const Label done = out.code().label();
  out.load(Register::R1, value);
  out.code().jump_if(Register::R1, Condition::NotEqual, 0, not_zero);
  remove(place, scope, out);
  out.code().jump(done);
  out.code().bind(not_zero);
  if (is_by_reference) {
    look_up_or_make(place, scope, out);
    out.code().jump_if(Register::R0, Condition::Equal, 0, done);
    out.code().emit(bpf::mov(Register::R1, Register::R0));
    copy_by_reference(type, value, scope, out);
  } else {
    out.code().load_map(Register::R1, place.map);
    out.address_of_state(Register::R2, scope.storage.key_offset);
    out.address_of(Register::R3, value);
    out.code().emit(bpf::mov(Register::R4, BPF_ANY));
    out.code().call(Helper::MapUpdate);
    out.code().jump_if(Register::R0, Condition::Equal, 0, done);
    out.count(offsetof(kinst_counters, dynamic_drops));
  }
  out.code().bind(done);
}

// R1 = a pointer to a variable that always exists.
void point_to(const VariablePlace& place, const Scope& scope, Register pointer,
              Emitter& out) {
  if (const auto* global = std::get_if<GlobalPlace>(&place)) {
    out.code().load_map_value(pointer, scope.storage.globals, global->offset);
  } else {
    out.address_of_state(pointer, std::get<StatePlace>(place).offset);
  }
}

// Stores `value` to a variable that always exists.
void write_static(const VariablePlace& place, types::TypeId type,
                  const Temporary& value, const Scope& scope, Emitter& out) {
  const std::uint32_t bytes = stored_bytes(scope.types, type);
  if (!scope.types.is_by_reference(type)) {
    point_to(place, scope, Register::R1, out);
    out.load(Register::R0, value);
    out.code().emit(bpf::store(size_of_bytes(bytes), Register::R1, 0, Register::R0));
    return;
  }
  const Label not_null = out.code().label();
  const Label done = out.code().label();
  out.load(Register::R0, value);
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, not_null);
  point_to(place, scope, Register::R1, out);
  if (scope.types.is_string(type)) {
    out.code().emit(bpf::store(Size::Byte, Register::R1, 0, 0));
    mark_null(Register::R1, type, 1, scope, out);
  }
  out.code().jump(done);
  out.code().bind(not_null);
  point_to(place, scope, Register::R1, out);
  if (scope.types.is_string(type)) {
    mark_null(Register::R1, type, 0, scope, out);
  }
  copy_by_reference(type, value, scope, out);
  out.code().bind(done);
}

// A member of a struct in an element of a dynamic variable: `x[1].a`, `self->s.a`. Its
// address is the element's plus a constant. It can only be written through the element.
struct DynamicMember {
  const d::typed::VariableValue* variable = nullptr;
  std::int64_t offset = 0;
};

std::optional<DynamicMember> dynamic_member(const d::typed::Expression& address,
                                            const Scope& scope) {
  if (const auto* variable = std::get_if<d::typed::VariableValue>(&address.node)) {
    if (std::holds_alternative<DynamicPlace>(place_of(variable->variable, scope)) &&
        scope.types.is_by_reference(address.type)) {
      return DynamicMember{.variable = variable, .offset = 0};
    }
  } else if (const auto* convert = std::get_if<d::typed::Convert>(&address.node)) {
    return dynamic_member(*convert->operand, scope);
  } else if (const auto* load = std::get_if<d::typed::Load>(&address.node)) {
    if (scope.types.is_by_reference(address.type)) {
      return dynamic_member(*load->address, scope);
    }
  } else if (const auto* sum = std::get_if<d::typed::Binary>(&address.node)) {
    const auto* constant = std::get_if<d::typed::IntegerValue>(&sum->right->node);
    if (sum->operation == d::typed::BinaryOperator::Add && constant != nullptr) {
      auto member = dynamic_member(*sum->left, scope);
      if (member) {
        member->offset += static_cast<std::int64_t>(constant->value);
      }
      return member;
    }
  }
  return std::nullopt;
}

// The left side of `=`, evaluated: its keys or its address are in temporaries.
class Target {
 public:
  Target(const d::typed::Expression& expression, const Scope& scope, Emitter& out)
      : type_(expression.type), scope_(&scope), out_(&out) {
    if (const auto* variable = std::get_if<d::typed::VariableValue>(&expression.node)) {
      variable_ = variable;
      keys_ = generate_key_values(variable->keys, scope, out);
      return;
    }
    load_ = std::get_if<d::typed::Load>(&expression.node);
    member_ = dynamic_member(*load_->address, scope);
    if (member_) {
      keys_ = generate_key_values(member_->variable->keys, scope, out);
    } else {
      generate_value(*load_->address, scope, out);
      address_.emplace(out.saved(Register::R0));
    }
  }

  [[nodiscard]] bool is_bit_field() const {
    return load_ != nullptr && load_->bit_field.has_value();
  }

  // R0 = the value there.
  void read() {
    if (variable_ != nullptr) {
      read_variable();
    } else if (member_) {
      read_member();
    } else if (!scope_->types.is_by_reference(type_)) {
      load_at(*address_, load_->space, type_, *scope_, *out_);
      if (load_->bit_field) {
        extract_bits(*load_->bit_field, scope_->types.is_signed(type_), *out_);
      }
    } else {
      out_->load(Register::R0, *address_);
    }
  }

  // Cuts R0 to what the target can hold.
  void cut() const {
    const bool is_signed = scope_->types.is_signed(type_);
    if (is_bit_field()) {
      extract_bits({.offset_bits = 0, .width_bits = load_->bit_field->width_bits},
                   is_signed, *out_);
    } else if (!scope_->types.is_by_reference(type_)) {
      extend(*out_, Register::R0, stored_bytes(scope_->types, type_), is_signed);
    }
  }

  // Stores R0, a value of the target's type. R0 is kept.
  void write() {
    const Temporary value = out_->saved(Register::R0);
    if (variable_ != nullptr) {
      write_variable(value);
    } else {
      write_memory(value);
    }
    out_->load(Register::R0, value);
  }

 private:
  void store_key(d::typed::VariableId variable) {
    store_dynamic_key(variable, keys_, *scope_, *out_);
  }

  void read_variable() {
    const VariablePlace& place = place_of(variable_->variable, *scope_);
    if (const auto* dynamic = std::get_if<DynamicPlace>(&place)) {
      store_key(variable_->variable);
      read_dynamic(*dynamic, type_, *scope_, *out_);
    } else {
      point_to(place, *scope_, Register::R0, *out_);
      static_value_at_pointer(type_, *scope_, *out_);
    }
  }

  void write_variable(const Temporary& value) {
    const VariablePlace& place = place_of(variable_->variable, *scope_);
    if (const auto* dynamic = std::get_if<DynamicPlace>(&place)) {
      store_key(variable_->variable);
      write_dynamic(*dynamic, type_, value, *scope_, *out_);
    } else {
      write_static(place, type_, value, *scope_, *out_);
    }
  }

  void read_member() {
    const Label absent = out_->code().label();
    point_to_member(absent);
    value_at_pointer(type_, *scope_, *out_);
    const Label done = out_->code().label();
    out_->code().jump(done);
    out_->code().bind(absent);
    out_->code().emit(bpf::mov(Register::R0, 0));
    out_->code().bind(done);
    if (load_->bit_field) {
      extract_bits(*load_->bit_field, scope_->types.is_signed(type_), *out_);
    }
  }

  // R0 = a pointer to the member. The element is created if it does not exist.
  void point_to_member(Label no_room) {
    const auto& place =
        std::get<DynamicPlace>(place_of(member_->variable->variable, *scope_));
    store_key(member_->variable->variable);
    look_up_or_make(place, *scope_, *out_);
    out_->code().jump_if(Register::R0, Condition::Equal, 0, no_room);
    out_->code().emit(bpf::alu(Arithmetic::Add, Register::R0,
                               static_cast<std::int32_t>(member_->offset)));
  }

  void write_memory(const Temporary& value) {
    if (load_->bit_field) {
      merge_bits(value);
    }
    const std::uint32_t bytes = stored_bytes(scope_->types, type_);
    if (member_) {
      const Label no_room = out_->code().label();
      point_to_member(no_room);
      out_->code().emit(bpf::mov(Register::R1, Register::R0));
      if (scope_->types.is_by_reference(type_)) {
        copy_by_reference(type_, merged_or(value), *scope_, *out_);
      } else {
        out_->load(Register::R0, merged_or(value));
        out_->code().emit(
            bpf::store(size_of_bytes(bytes), Register::R1, 0, Register::R0));
      }
      out_->code().bind(no_room);
      return;
    }
    out_->load(Register::R0, merged_or(value));
    if (scope_->types.is_by_reference(type_)) {
      copy_to(*address_, bytes, *scope_, *out_);
    } else {
      store_at(*address_, bytes, *scope_, *out_);
    }
  }

  const Temporary& merged_or(const Temporary& value) const {
    return merged_ ? *merged_ : value;
  }

  // merged_ = the unit that holds the bit-field, with the value in the field's place.
  void merge_bits(const Temporary& value) {
    const d::typed::BitField field = *load_->bit_field;
    const std::uint64_t mask = field.width_bits >= 64
                                   ? ~std::uint64_t{0}
                                   : (std::uint64_t{1} << field.width_bits) - 1;
    if (member_) {
      const Label absent = out_->code().label();
      const Label done = out_->code().label();
      point_to_member(absent);
      value_at_pointer(type_, *scope_, *out_);
      out_->code().jump(done);
      out_->code().bind(absent);
      out_->code().emit(bpf::mov(Register::R0, 0));
      out_->code().bind(done);
    } else {
      load_at(*address_, load_->space, type_, *scope_, *out_);
    }
    out_->code().load_constant(Register::R1, ~(mask << field.offset_bits));
    out_->code().emit(bpf::alu(Arithmetic::And, Register::R0, Register::R1));
    out_->load(Register::R2, value);
    out_->code().load_constant(Register::R1, mask);
    out_->code().emit(bpf::alu(Arithmetic::And, Register::R2, Register::R1));
    out_->code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R2,
                               static_cast<std::int32_t>(field.offset_bits)));
    out_->code().emit(bpf::alu(Arithmetic::Or, Register::R0, Register::R2));
    merged_.emplace(out_->saved(Register::R0));
  }

  types::TypeId type_;
  const Scope* scope_;
  Emitter* out_;
  const d::typed::VariableValue* variable_ = nullptr;
  const d::typed::Load* load_ = nullptr;
  std::optional<DynamicMember> member_;
  KeyValues keys_;
  std::optional<Temporary> address_;
  std::optional<Temporary> merged_;
};

}  // namespace

void generate_variable(const d::typed::VariableValue& node, const Scope& scope,
                       Emitter& out) {
  const types::TypeId type =
      scope.program.variables[static_cast<std::size_t>(node.variable)].type;
  const VariablePlace& place = place_of(node.variable, scope);
  if (const auto* dynamic = std::get_if<DynamicPlace>(&place)) {
    const KeyValues keys = generate_key_values(node.keys, scope, out);
    store_dynamic_key(node.variable, keys, scope, out);
    read_dynamic(*dynamic, type, scope, out);
    return;
  }
  point_to(place, scope, Register::R0, out);
  static_value_at_pointer(type, scope, out);
}

void generate_variable_address(d::typed::VariableId variable, const Scope& scope,
                               Emitter& out) {
  const VariablePlace& place = place_of(variable, scope);
  if (const auto* dynamic = std::get_if<DynamicPlace>(&place)) {
    const Label found = out.code().label();
    store_dynamic_key(variable, {}, scope, out);
    look_up_or_make(*dynamic, scope, out);
    out.code().jump_if(Register::R0, Condition::NotEqual, 0, found);
    out.code().emit(bpf::mov(Register::R1, 0));
    out.fault(KINST_FAULT_NOSCRATCH);
    out.code().bind(found);
  } else {
    point_to(place, scope, Register::R0, out);
  }
  out.pointer_to_number(Register::R0);
}

void generate_assignment(const d::typed::Assign& node, const Scope& scope,
                         Emitter& out) {
  Target target(*node.target, scope, out);
  if (!node.operation) {
    generate_value(*node.value, scope, out);
    if (target.is_bit_field()) {
      target.cut();
    }
    target.write();
    return;
  }
  // As in DTrace, the old value is read first; it does not show side effects of the new
  // value's evaluation.
  target.read();
  const Temporary old_value = out.saved(Register::R0);
  generate_value(*node.value, scope, out);
  out.code().emit(bpf::mov(Register::R2, Register::R0));
  out.load(Register::R1, old_value);
  generate_operation(*node.operation, node.target->type, scope, out);
  target.cut();
  target.write();
}

void generate_increment(const d::typed::Increment& node, const Scope& scope,
                        Emitter& out) {
  Target target(*node.target, scope, out);
  target.read();
  std::optional<Temporary> old_value;
  if (node.gives_old_value) {
    old_value.emplace(out.saved(Register::R0));
  }
  out.code().emit(
      bpf::alu(Arithmetic::Add, Register::R0, static_cast<std::int32_t>(node.step)));
  target.cut();
  target.write();
  if (old_value) {
    out.load(Register::R0, *old_value);
  }
}

}  // namespace kinst::codegen
