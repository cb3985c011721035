// The conventions of emitter.h as instructions.
#include "codegen/emit/emitter.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>

#include "codegen/emit/call_budget.h"

namespace kinst::codegen {
namespace {

constexpr std::size_t most_slots = (512 - runtime_stack_bytes) / 8;

constexpr std::uint32_t furthest = std::numeric_limits<std::int16_t>::max();

constexpr std::uint32_t fault_offset = offsetof(kinst_state, fault);

}  // namespace

Size size_of_bytes(std::uint64_t bytes) {
  switch (bytes) {
    case 1:
      return Size::Byte;
    case 2:
      return Size::Half;
    case 4:
      return Size::Word;
    default:
      assert(bytes == 8);
      return Size::Double;
  }
}

Temporary::~Temporary() {
  if (emitter_ != nullptr) {
    emitter_->slots_[static_cast<std::size_t>(-offset_ / 8 - 1)] = false;
  }
}

Temporary Emitter::temporary() {
  auto slot = std::ranges::find(slots_, false);
  if (slot == slots_.end()) {
    if (slots_.size() == most_slots) {
      if (!stack_refused_) {
        refuse(place_, "D_NOREG", "expression is too complex");
      }
      stack_refused_ = true;
    } else {
      slots_.push_back(false);
    }
    slot = std::prev(slots_.end());
  }
  *slot = true;
  const auto number = slot - slots_.begin();
  return {this, static_cast<std::int16_t>(-8 * (number + 1))};
}

Temporary Emitter::saved(Register source) {
  Temporary slot = temporary();
  store(slot, source);
  return slot;
}

void Emitter::load(Register destination, const Temporary& from) {
  builder_.emit(bpf::load(Size::Double, destination, Register::R10, from.offset()));
}

void Emitter::store(const Temporary& to, Register source) {
  builder_.emit(bpf::store(Size::Double, Register::R10, to.offset(), source));
}

void Emitter::address_of(Register destination, const Temporary& of) {
  builder_.emit(bpf::mov(destination, Register::R10));
  builder_.emit(bpf::alu(Arithmetic::Add, destination, of.offset()));
}

void Emitter::load_state(Size size, Register destination, std::uint32_t offset) {
  if (offset <= furthest) {
    builder_.emit(bpf::load(size, destination, state_register,
                            static_cast<std::int16_t>(offset)));
    return;
  }
  address_of_state(destination, offset);
  builder_.emit(bpf::load(size, destination, destination, 0));
}

void Emitter::store_state(Size size, std::uint32_t offset, Register source) {
  if (offset <= furthest) {
    builder_.emit(
        bpf::store(size, state_register, static_cast<std::int16_t>(offset), source));
    return;
  }
  // R5 is the one register that no caller stores from.
  assert(source != Register::R5);
  address_of_state(Register::R5, offset);
  builder_.emit(bpf::store(size, Register::R5, 0, source));
}

void Emitter::store_state(Size size, std::uint32_t offset, std::int32_t value) {
  if (offset <= furthest) {
    builder_.emit(
        bpf::store(size, state_register, static_cast<std::int16_t>(offset), value));
    return;
  }
  address_of_state(Register::R5, offset);
  builder_.emit(bpf::store(size, Register::R5, 0, value));
}

void Emitter::address_of_state(Register destination, std::uint32_t offset) {
  builder_.emit(bpf::mov(destination, state_register));
  if (offset != 0) {
    builder_.emit(
        bpf::alu(Arithmetic::Add, destination, static_cast<std::int32_t>(offset)));
  }
}

void Emitter::pointer_to_number(Register pointer) {
  constexpr std::uint32_t leaked = offsetof(kinst_state, leaked);
  store_state(Size::Double, leaked, pointer);
  load_state(Size::Double, pointer, leaked);
}

void Emitter::fault(kinst_fault kind) {
  store_state(Size::Double, offsetof(kinst_state, fault_address), Register::R1);
  store_state(Size::Double, fault_offset, static_cast<std::int32_t>(kind));
  mark_place();
  builder_.jump(fault_exit_);
}

void Emitter::find_row_of_probe(bpf::MapId map) {
  const Label found = builder_.label();
  builder_.load_map(Register::R1, map);
  address_of_state(Register::R2, offsetof(kinst_state, probe));
  builder_.call(Helper::MapLookup);
  builder_.jump_if(Register::R0, Condition::NotEqual, 0, found);
  builder_.emit(bpf::mov(Register::R1, 0));
  fault(KINST_FAULT_ILLOP);
  builder_.bind(found);
}

void Emitter::leave_if_faulted() {
  const Label fine = builder_.label();
  load_state(Size::Double, Register::R1, fault_offset);
  builder_.jump_if(Register::R1, Condition::Equal, 0, fine);
  mark_place();
  builder_.jump(fault_exit_);
  builder_.bind(fine);
}

void Emitter::fault_if_negative(const Temporary& address) {
  const Label fine = builder_.label();
  builder_.jump_if(Register::R0, Condition::SignedGreaterOrEqual, 0, fine);
  load(Register::R1, address);
  fault(KINST_FAULT_BADADDR);
  builder_.bind(fine);
}

void Emitter::mark_place() {
  store_state(Size::Double, offsetof(kinst_state, fault_place), next_place_++);
}

void Emitter::refuse(Span span, std::string_view tag, std::string message) {
  diagnostics_->error(tag, span, std::move(message));
}

void Emitter::count(std::uint32_t counter_offset) {
  const std::uint32_t offset = offsetof(kinst_state, counters) + counter_offset;
  load_state(Size::Double, Register::R1, offset);
  builder_.emit(bpf::alu(Arithmetic::Add, Register::R1, 1));
  store_state(Size::Double, offset, Register::R1);
}

void extend(Emitter& out, Register value, std::uint64_t size_bytes, bool is_signed) {
  if (size_bytes >= 8 || size_bytes == 0) {
    return;
  }
  const auto shift = static_cast<std::int32_t>(64 - 8 * size_bytes);
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, value, shift));
  out.code().emit(bpf::alu(
      is_signed ? Arithmetic::ShiftRightSigned : Arithmetic::ShiftRight, value, shift));
}

}  // namespace kinst::codegen
