// Each CPU has its own value (record/layout.h), so updates need no atomics: no other
// program of kinst runs on this CPU meanwhile (kinst_state::busy). A distribution that
// is too large for this has one value for all CPUs, which are updated atomically.
#include "codegen/clause/aggregation_code.h"

#include <cassert>
#include <cstddef>
#include <optional>

#include "codegen/expression/builtin_code.h"
#include "codegen/expression/expression.h"
#include "codegen/expression/key.h"
#include "codegen/expression/stack.h"
#include "codegen/expression/string.h"
#include "codegen/expression/symbolic_code.h"
#include "codegen/plan/record_layout.h"
#include "codegen/plan/sizes.h"

namespace kinst::codegen {
namespace {

using record::AggregatingFunction;

// Points to the value, which is this CPU's or all CPUs', while runtime functions are
// called.
constexpr Register value_register = Register::R8;

bool is_stack(record::Meaning meaning) {
  return meaning == record::Meaning::Stack || meaning == record::Meaning::UserStack;
}

// Stores a stack with as many frames as this key asks for. The field has room for the
// deepest stack among all uses of the key. If other uses of the key have a user stack
// there, a mark in front says that this is a kernel stack.
void store_stack(const d::typed::Expression& key, record::Field field,
                 const Scope& scope, Emitter& out) {
  std::uint32_t offset = scope.storage.key_offset + field.offset;
  std::uint32_t room = field.size_bytes;
  if (field.meaning != meaning_of(key)) {
    out.store_state(Size::Double, offset,
                    static_cast<std::int32_t>(record::kernel_stack_mark));
    offset += 8;
    room -= 8;
  }
  field.meaning = meaning_of(key);
  field.size_bytes = recorded_bytes(key, scope.types);
  if (field.size_bytes < room) {
    zero_state(offset + field.size_bytes, room - field.size_bytes, scope, out);
  }
  store_symbolic(field, offset, nullptr, scope, out);
}

void store_key(const d::typed::Aggregate& node, const record::Aggregation& layout,
               const Scope& scope, Emitter& out) {
  // All parts are computed before any is stored: computing may use the key itself.
  std::vector<std::optional<Temporary>> values(layout.keys.size());
  for (std::size_t part = 0; part < layout.keys.size(); ++part) {
    if (is_computed(layout.keys[part].meaning)) {
      generate_value(*node.keys[part], scope, out);
      values[part].emplace(out.saved(Register::R0));
    }
  }
  for (std::size_t part = 0; part < layout.keys.size(); ++part) {
    const record::Field& field = layout.keys[part];
    const std::uint32_t offset = scope.storage.key_offset + field.offset;
    if (field.meaning == record::Meaning::Value) {
      store_key_part(*values[part],
                     {.type = field.type, .offset = offset, .bytes = field.size_bytes},
                     scope, out);
    } else if (is_stack(field.meaning)) {
      store_stack(*node.keys[part], field, scope, out);
    } else {
      store_symbolic(field, offset, values[part] ? &*values[part] : nullptr, scope,
                     out);
    }
  }
}

// R0 = a pointer to the value, which is this CPU's or all CPUs'; null if there is no
// room for a new key. A drop is counted then.
void look_up(std::size_t number, const Scope& scope, Emitter& out) {
  const AggregationPlace& place = scope.storage.aggregations[number];
  const std::uint32_t key_offset =
      scope.storage.key_offset - (place.is_shared ? aggregation_number_bytes : 0);
  const auto find = [&] {
    out.code().load_map(Register::R1, place.map);
    out.address_of_state(Register::R2, key_offset);
    out.code().call(Helper::MapLookup);
  };
  if (place.is_shared) {
    out.store_state(Size::Double, key_offset, static_cast<std::int32_t>(number));
  } else if (scope.storage.aggregation_layouts[number].key_size_bytes == 0) {
    out.store_state(Size::Word, scope.storage.key_offset, 0);  // element 0 of an array
    find();
    return;
  }
  const Label found = out.code().label();
  find();
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, found);
  out.code().load_map(Register::R1, place.map);
  out.address_of_state(Register::R2, key_offset);
  out.code().load_map_value(Register::R3, scope.storage.constants, 0);
  out.code().emit(bpf::mov(Register::R4, BPF_NOEXIST));
  out.code().call(Helper::MapUpdate);
  find();
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, found);
  out.count(offsetof(kinst_counters, aggregation_drops));
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(found);
}

enum class Addition : std::uint8_t { Plain, Atomic };

Addition addition_to(const record::Aggregation& layout) {
  return is_one_value(layout) ? Addition::Atomic : Addition::Plain;
}

// word `index` of the value += amount
void add_to_word(std::int16_t index, Register amount, Emitter& out,
                 Addition addition = Addition::Plain) {
  const auto offset = static_cast<std::int16_t>(index * 8);
  if (addition == Addition::Atomic) {
    out.code().emit(
        bpf::atomic(Size::Double, bpf::Atomic::Add, value_register, offset, amount));
    return;
  }
  out.code().emit(bpf::load(Size::Double, Register::R1, value_register, offset));
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R1, amount));
  out.code().emit(bpf::store(Size::Double, value_register, offset, Register::R1));
}

void keep_extreme(record::Combination which, bool is_signed, const Temporary& value,
                  Emitter& out) {
  const Label store = out.code().label();
  const Label done = out.code().label();
  out.load(Register::R0, value);
  out.code().emit(bpf::load(Size::Double, Register::R1, value_register, 0));
  out.code().jump_if(Register::R1, Condition::Equal, 0, store);
  out.code().emit(bpf::load(Size::Double, Register::R1, value_register, 8));
  const Condition keeps =
      which == record::Combination::Smallest
          ? (is_signed ? Condition::SignedGreaterOrEqual : Condition::GreaterOrEqual)
          : (is_signed ? Condition::SignedLessOrEqual : Condition::LessOrEqual);
  out.code().jump_if(Register::R0, keeps, Register::R1, done);
  out.code().bind(store);
  out.code().emit(bpf::store(Size::Double, value_register, 8, Register::R0));
  out.code().bind(done);
}

// The sum of squares has 128 bits.
void add_square(const Temporary& value, Emitter& out) {
  out.load(Register::R1, value);
  out.code().call("kinst_square_high");
  const Label no_carry = out.code().label();
  out.load(Register::R2, value);
  out.code().emit(bpf::alu(Arithmetic::Multiply, Register::R2, Register::R2));
  out.code().emit(bpf::load(Size::Double, Register::R1, value_register, 16));
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R1, Register::R2));
  out.code().emit(bpf::store(Size::Double, value_register, 16, Register::R1));
  out.code().jump_if(Register::R1, Condition::GreaterOrEqual, Register::R2, no_carry);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, 1));
  out.code().bind(no_carry);
  add_to_word(3, Register::R0, out);
}

// R0 = the index of the histogram's bucket to which the value belongs, from 0.
void generate_bucket(const record::Aggregation& layout, const Temporary& value,
                     Emitter& out) {
  out.load(Register::R1, value);
  Register next = Register::R2;
  for (const std::int64_t parameter : layout.parameters) {
    out.code().load_constant(next, static_cast<std::uint64_t>(parameter));
    next = static_cast<Register>(static_cast<std::uint8_t>(next) + 1);
  }
  switch (record::aggregating_function_info(layout.function).buckets) {
    case record::Buckets::Powers:
      out.code().call("kinst_quantize_bucket");
      break;
    case record::Buckets::Linear:
      out.code().call("kinst_lquantize_bucket");
      break;
    case record::Buckets::LogLinear:
      out.code().call("kinst_llquantize_bucket");
      break;
    case record::Buckets::None:
      assert(false);  // it has none
      break;
  }
}

void add_to_bucket(const record::Aggregation& layout, const Temporary& value,
                   const std::optional<Temporary>& weight, Emitter& out) {
  const Label outside = out.code().label();
  generate_bucket(layout, value, out);
  // The verifier has to see that the bucket exists.
  out.code().jump_if(Register::R0, Condition::Greater,
                     static_cast<std::int32_t>(layout.value_words - 2), outside);
  out.code().emit(bpf::alu(Arithmetic::ShiftLeft, Register::R0, 3));
  out.code().emit(bpf::alu(Arithmetic::Add, value_register, Register::R0));
  if (weight) {
    out.load(Register::R2, *weight);
  } else {
    out.code().emit(bpf::mov(Register::R2, 1));
  }
  add_to_word(1, Register::R2, out, addition_to(layout));
  out.code().bind(outside);
}

void update(const record::Aggregation& layout, const std::optional<Temporary>& value,
            const std::optional<Temporary>& weight, Emitter& out) {
  using record::Combination;
  const Combination combination =
      record::aggregating_function_info(layout.function).combination;
  if (combination == Combination::Smallest || combination == Combination::Largest) {
    keep_extreme(combination, layout.is_signed, *value, out);
  }
  out.code().emit(bpf::mov(Register::R2, 1));
  add_to_word(0, Register::R2, out, addition_to(layout));
  switch (layout.function) {
    case AggregatingFunction::Count:
    case AggregatingFunction::Min:
    case AggregatingFunction::Max:
      return;
    case AggregatingFunction::Stddev:
      add_square(*value, out);
      [[fallthrough]];
    case AggregatingFunction::Sum:
    case AggregatingFunction::Avg:
      out.load(Register::R2, *value);
      add_to_word(1, Register::R2, out);
      return;
    case AggregatingFunction::Quantize:
    case AggregatingFunction::Lquantize:
    case AggregatingFunction::Llquantize:
      add_to_bucket(layout, *value, weight, out);
      return;
  }
}

std::optional<Temporary> evaluated(const d::typed::ExpressionPointer& expression,
                                   const Scope& scope, Emitter& out) {
  if (expression == nullptr) {
    return std::nullopt;
  }
  generate_value(*expression, scope, out);
  return out.saved(Register::R0);
}

}  // namespace

void generate_aggregate(const d::typed::Aggregate& node, const Scope& scope,
                        Emitter& out) {
  const auto number = static_cast<std::size_t>(node.aggregation);
  const record::Aggregation& layout = scope.storage.aggregation_layouts[number];
  const std::optional<Temporary> value = evaluated(node.value, scope, out);
  const std::optional<Temporary> weight = evaluated(node.weight, scope, out);
  store_key(node, layout, scope, out);
  const Label no_room = out.code().label();
  look_up(number, scope, out);
  out.code().jump_if(Register::R0, Condition::Equal, 0, no_room);
  out.code().emit(bpf::mov(value_register, Register::R0));
  update(layout, value, weight, out);
  out.code().bind(no_room);
}

}  // namespace kinst::codegen
