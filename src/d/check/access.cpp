// Memory: indices, members, dereferences and addresses, all of which become loads.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/near_names.h"
#include "d/check/expression_checker.h"
#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

// ---------------------------------------------------------------- addresses

ExpressionPointer ExpressionChecker::load(ExpressionPointer address, TypeId type,
                                          types::AddressSpace space, Span span) {
  return typed::make(type, span, typed::Load{std::move(address), space, std::nullopt});
}

// A computed address takes a new type; a pointer that is read somewhere keeps its own.
ExpressionPointer ExpressionChecker::as_pointer(ExpressionPointer address,
                                                TypeId type) {
  if (address->type == type) {
    return address;
  }
  if (std::holds_alternative<typed::IntegerValue>(address->node) ||
      std::holds_alternative<typed::VariableAddress>(address->node) ||
      std::holds_alternative<typed::Binary>(address->node)) {
    address->type = type;
    return address;
  }
  const Span span = address->span;
  return typed::make(type, span, typed::Convert{std::move(address)});
}

ExpressionPointer ExpressionChecker::decay(ExpressionPointer value, TypeId target) {
  const Span span = value->span;
  if (auto* memory = std::get_if<typed::Load>(&value->node)) {
    const types::AddressSpace space = memory->space;
    return as_pointer(std::move(memory->address), table_.pointer_to(target, space));
  }
  const TypeId pointer = table_.pointer_to(target);
  // A string variable can be NULL, so its value is used, not the address of its bytes.
  const auto* variable = std::get_if<typed::VariableValue>(&value->node);
  if (variable != nullptr && !table_.is_string(value->type)) {
    if (names_.variable(variable->variable).scope != typed::VariableScope::Thread &&
        variable->keys.empty()) {
      return typed::make(pointer, span, typed::VariableAddress{variable->variable});
    }
  }
  return typed::make(pointer, span, typed::Convert{std::move(value)});
}

// Offsets add up, so that p->a.b.c is one addition.
ExpressionPointer ExpressionChecker::add_offset(ExpressionPointer address,
                                                std::uint64_t offset) {
  if (offset == 0) {
    return address;
  }
  if (auto* constant = std::get_if<typed::IntegerValue>(&address->node)) {
    constant->value += offset;
    return address;
  }
  if (auto* sum = std::get_if<typed::Binary>(&address->node)) {
    auto* constant = std::get_if<typed::IntegerValue>(&sum->right->node);
    if (sum->operation == typed::BinaryOperator::Add && constant != nullptr) {
      constant->value += offset;
      return address;
    }
  }
  const TypeId type = address->type;
  const Span span = address->span;
  return typed::make(type, span,
                     typed::Binary{typed::BinaryOperator::Add, std::move(address),
                                   integer(offset, table_.int64_type(), span)});
}

ExpressionPointer ExpressionChecker::memory_at(ExpressionPointer pointer, Span span) {
  const auto target = target_of(table_, pointer->type);
  if (!target) {
    error("D_DEREF_NONPTR", span,
          fmt::format("cannot dereference \"{}\", which is no pointer",
                      type_name(*pointer)))
        .hint = "a cast makes it one, as in *(int *)address";
    return nullptr;
  }
  if (is_void(table_, *target)) {
    error("D_DEREF_VOID", span, "cannot dereference a pointer to void").hint =
        "a cast says what is there, as in *(int *)address";
    return nullptr;
  }
  if (is_function(table_, *target)) {
    error("D_DEREF_FUNC", span, "cannot dereference a pointer to a function");
    return nullptr;
  }
  const TypeId type = completed_record(*target);
  const types::AddressSpace space = space_of(table_, pointer->type);
  if (table_.is_by_reference(pointer->type)) {
    pointer = decay(std::move(pointer), type);
  }
  return load(std::move(pointer), type, space, span);
}

ExpressionPointer ExpressionChecker::dereference(const Unary& unary, Span span) {
  ExpressionPointer pointer = check(*unary.operand);
  if (pointer == nullptr) {
    return nullptr;
  }
  if (is_dynamic(pointer->type)) {
    return integer(0, dynamic_type_, span);
  }
  return memory_at(std::move(pointer), span);
}

ExpressionPointer ExpressionChecker::address_of(const Unary& unary, Span span) {
  const Index* outer =
      std::exchange(addressed_, std::get_if<Index>(&unary.operand->node));
  ExpressionPointer value = check(*unary.operand);
  addressed_ = outer;
  if (value == nullptr) {
    return nullptr;
  }
  const bool is_variable = std::holds_alternative<Identifier>(unary.operand->node) ||
                           std::holds_alternative<typed::VariableValue>(value->node) ||
                           std::holds_alternative<typed::BuiltinValue>(value->node) ||
                           std::holds_alternative<typed::LocalValue>(value->node);
  if (is_variable || is_dynamic(value->type)) {
    error("D_ADDROF_VAR", span, "cannot take the address of a D variable");
    return nullptr;
  }
  auto* memory = std::get_if<typed::Load>(&value->node);
  if (memory == nullptr) {
    error("D_ADDROF_LVAL", span, "operator & needs an object in memory");
    return nullptr;
  }
  if (memory->bit_field) {
    error("D_ADDROF_BITFIELD", span, "cannot take the address of a bit-field");
    return nullptr;
  }
  const types::AddressSpace space = memory->space;
  ExpressionPointer address =
      as_pointer(std::move(memory->address), table_.pointer_to(value->type, space));
  address->span = span;
  return address;
}

// ---------------------------------------------------------------- indices

ExpressionPointer ExpressionChecker::index(const Index& index, Span span) {
  if (const auto* identifier = std::get_if<Identifier>(&index.base->node)) {
    const std::string& name = identifier->name;
    const GlobalSymbol* symbol = find_global(name);
    if (find_binding(name) == nullptr && symbol != nullptr) {
      if (const auto* id = std::get_if<typed::VariableId>(symbol);
          id != nullptr && !names_.variable(*id).key_types.empty()) {
        return associative(*id, index, span);
      }
      if (const auto* definition = std::get_if<InlineSymbol>(symbol);
          definition != nullptr && definition->is_array) {
        return inlined(*definition, index, span);
      }
    }
    if (const auto info = find_builtin(name); info && info->is_array()) {
      return array_builtin(*info, index, span);
    }
    if (find_binding(name) == nullptr && symbol == nullptr && !is_builtin_name(name) &&
        !environment_.register_index(name) && !names_local(name)) {
      if ((probe_ != nullptr && probe_->is_absent) ||
          !names_.broken.insert(name).second) {
        return nullptr;
      }
      error("D_VAR_UNDEF", span,
            fmt::format("{} has not yet been declared or assigned", name));
      return nullptr;
    }
  }
  if (const auto* variable = std::get_if<ScopedVariable>(&index.base->node)) {
    const auto id = names_.find_variable(variable->scope == Scope::Self
                                             ? typed::VariableScope::Thread
                                             : typed::VariableScope::Clause,
                                         variable->name);
    if (id && !names_.variable(*id).key_types.empty()) {
      return associative(*id, index, span);
    }
  }
  if (const auto* reference = std::get_if<AggregationReference>(&index.base->node)) {
    error("D_AGG_MDIM", span,
          fmt::format("@{} cannot be used as an array of more dimensions",
                      reference->name))
        .hint = "give all keys in one pair of brackets, as in @a[x, y]";
    return nullptr;
  }
  ExpressionPointer base = check(*index.base);
  return base == nullptr ? nullptr : element(std::move(base), index, span);
}

ExpressionPointer ExpressionChecker::element(ExpressionPointer base, const Index& index,
                                             Span span) {
  if (index.indices.size() > 1) {
    error(
        "D_ARR_BADREF", span,
        fmt::format("\"{}\" cannot be used as an associative array", type_name(*base)));
    return nullptr;
  }
  ExpressionPointer number = check(index.indices.front());
  if (number == nullptr) {
    return nullptr;
  }
  if (!target_of(table_, base->type)) {
    error("D_DEREF_NONPTR", span,
          fmt::format("\"{}\" is neither an array nor a pointer", type_name(*base)));
    return nullptr;
  }
  if (!table_.is_integer(number->type) ||
      is_void_or_function_pointer(table_, base->type)) {
    report_incompatible("[]", span, *base, *number);
    return nullptr;
  }
  if (table_.is_string(base->type)) {
    base = decay(std::move(base), table_.char_type());
  }
  const auto* array = std::get_if<types::Array>(&table_.resolved(base->type));
  const auto* constant = typed::as_integer(*number);
  // An array of 0 or 1 elements may be an open array at the end of a structure.
  const std::uint64_t end = array == nullptr ? 0 : array->count;
  const bool is_at_end = constant != nullptr && constant->value == end;
  if (constant != nullptr && end > 1 && constant->value >= end &&
      !(is_at_end && &index == addressed_)) {
    error("D_ARR_BOUNDS", number->span,
          fmt::format("index {} is outside of {}",
                      static_cast<std::int64_t>(constant->value), type_name(*base)));
    return nullptr;
  }
  ExpressionPointer pointer =
      pointer_sum(std::move(base), std::move(number), false, span);
  return pointer == nullptr ? nullptr : memory_at(std::move(pointer), span);
}

std::optional<std::vector<ExpressionPointer>> ExpressionChecker::keys(
    const std::vector<Expression>& indices) {
  std::vector<ExpressionPointer> values;
  for (const Expression& expression : indices) {
    ExpressionPointer value = check(expression);
    if (value == nullptr) {
      return std::nullopt;
    }
    if (is_void(table_, value->type)) {
      error("D_KEY_TYPE", expression.span,
            fmt::format("\"{}\" cannot be an array's key", type_name(*value)));
      return std::nullopt;
    }
    values.push_back(std::move(value));
  }
  return values;
}

bool ExpressionChecker::match_keys(std::string_view array,
                                   const std::vector<TypeId>& key_types,
                                   std::vector<ExpressionPointer>& values, Span span) {
  if (values.size() != key_types.size()) {
    error("D_PROTO_LEN", span,
          fmt::format("{}[] takes {} key{}, {} given", array, key_types.size(),
                      key_types.size() == 1 ? "" : "s", values.size()));
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_assignable(table_, key_types[i], operand_type(*values[i]))) {
      error("D_PROTO_ARG", values[i]->span,
            fmt::format(R"({}[] takes "{}" as key {}, not "{}")", array,
                        table_.name_of(key_types[i]), i + 1, type_name(*values[i])));
      return false;
    }
    // Stacks and symbols are stored as what they are, a stack of fewer frames too.
    if (!std::holds_alternative<typed::SymbolicValue>(values[i]->node)) {
      values[i] = convert(std::move(values[i]), key_types[i]);
    }
  }
  return true;
}

ExpressionPointer ExpressionChecker::associative(typed::VariableId id,
                                                 const Index& index, Span span) {
  auto values = keys(index.indices);
  if (!values) {
    return nullptr;
  }
  const typed::Variable& variable = names_.variable(id);
  if (!match_keys(variable.name, variable.key_types, *values, span)) {
    return nullptr;
  }
  return typed::make(variable.type, span, typed::VariableValue{id, std::move(*values)});
}

// ---------------------------------------------------------------- args[], regs[]

ExpressionPointer ExpressionChecker::array_builtin(const BuiltinInfo& info,
                                                   const Index& index, Span span) {
  if (index.indices.size() != 1) {
    error("D_PROTO_LEN", span,
          fmt::format("{}[] takes 1 index, {} given", info.name, index.indices.size()));
    return nullptr;
  }
  ExpressionPointer number = check(index.indices.front());
  if (number == nullptr) {
    return nullptr;
  }
  const auto* constant = typed::as_integer(*number);
  if (constant == nullptr || !table_.is_integer(number->type)) {
    error("D_PROTO_ARG", number->span,
          fmt::format("the index of {}[] must be an integer constant", info.name));
    return nullptr;
  }
  if (info.index == BuiltinIndex::Argument) {
    return translation_of_index(index, span).has_value()
               ? integer(0, dynamic_type_, span)
               : argument(constant->value, span);
  }
  const bool is_negative =
      table_.is_signed(number->type) && static_cast<std::int64_t>(constant->value) < 0;
  if (is_negative || constant->value >= environment_.register_count()) {
    const bool is_user_tag = info.index == BuiltinIndex::UserRegister && !is_negative;
    error(is_user_tag ? "D_UNKNOWN" : "D_REGS_IDX", number->span,
          fmt::format("{}[] has no register {}", info.name,
                      static_cast<std::int64_t>(constant->value)))
        .hint = fmt::format("registers have names, as in {}[{}]", info.name,
                            environment_.result_register());
    return nullptr;
  }
  if (!check_builtin_is_known(info, span)) {
    return nullptr;
  }
  return typed::make(table_.uint64_type(), span,
                     typed::BuiltinValue{info.builtin, std::move(number)});
}

// ---------------------------------------------------------------- members

ExpressionPointer ExpressionChecker::member(const Member& member, Span span) {
  if (auto translation = translation_of(*member.object)) {
    return translation->source == nullptr
               ? nullptr
               : member_of_translation(member, std::move(*translation), span);
  }
  ExpressionPointer object = check(*member.object);
  if (object == nullptr) {
    return nullptr;
  }
  TypeId record = object->type;
  if (member.is_arrow) {
    if (!table_.is_pointer(record)) {
      error("D_OP_PTR", span,
            fmt::format("operator -> needs a pointer, not \"{}\"", type_name(*object)))
          .hint = is_record(table_, record)
                      ? fmt::format("it is no pointer: .{}", member.name)
                      : "";
      return nullptr;
    }
    record = *target_of(table_, record);
  }
  record = completed_record(record);
  if (!is_record(table_, record)) {
    auto& diagnostic =
        error("D_OP_SOU", span,
              fmt::format("operator {} needs a struct or union{}, not \"{}\"",
                          member.is_arrow ? "->" : ".",
                          member.is_arrow ? "'s pointer" : "", type_name(*object)));
    if (!member.is_arrow && table_.is_pointer(object->type)) {
      diagnostic.hint = fmt::format("it is a pointer: ->{}", member.name);
    }
    return nullptr;
  }
  if (!table_.size_of(record)) {
    error("D_OP_INCOMPLETE", span,
          fmt::format("{} is incomplete: its members are not known",
                      table_.name_of(record)))
        .hint = types_.why_incomplete(record);
    return nullptr;
  }
  const auto place = table_.member(record, member.name);
  if (!place) {
    report_no_member(record, "D_TYPE_MEMBER", member.name, member.name_span);
    return nullptr;
  }
  const types::AddressSpace space = space_of(table_, object->type);
  ExpressionPointer address =
      member.is_arrow ? std::move(object) : decay(std::move(object), record);
  return field(std::move(address), *place, space, span);
}

// A bit-field is read in the unit of its type where it lies, else from its own byte.
ExpressionPointer ExpressionChecker::field(ExpressionPointer address,
                                           const types::MemberPlace& place,
                                           types::AddressSpace space, Span span) {
  std::uint64_t offset = place.offset_bits / 8;
  std::optional<typed::BitField> bits;
  if (place.width_bits != 0) {
    const std::uint64_t unit_bits = 8 * table_.size_of(place.type).value_or(8);
    std::uint64_t in_unit = place.offset_bits % unit_bits;
    offset = (place.offset_bits - in_unit) / 8;
    if (in_unit + place.width_bits > unit_bits) {
      offset = place.offset_bits / 8;
      in_unit = place.offset_bits % 8;
    }
    bits = typed::BitField{static_cast<std::uint32_t>(in_unit), place.width_bits};
  }
  address = add_offset(std::move(address), offset);
  return typed::make(place.type, span, typed::Load{std::move(address), space, bits});
}

}  // namespace kinst::d
