// Types as DWARF describes them, one at a time.
#include <dwarf.h>

#include "kernel/debug/debug_information.h"
#include "kernel/debug/debug_information_handle.h"

namespace kinst::kernel {
namespace {

using Kind = DebugTypeKind;

std::optional<std::uint64_t> unsigned_attribute(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute{};
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, name, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

// Calls visit(child) for each child of that tag.
template <typename Visit>
void for_each_child(Dwarf_Die* die, int tag, const Visit& visit) {
  Dwarf_Die child{};
  if (dwarf_child(die, &child) != 0) {
    return;
  }
  do {
    if (dwarf_tag(&child) == tag) {
      visit(&child);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

DebugTypeId target_of(Dwarf_Die* die) {
  auto target = referred_die(die, DW_AT_type);
  return target ? DebugTypeId{dwarf_dieoffset(&*target)} : DebugTypeId::Void;
}

std::uint64_t size_of(Dwarf_Die* die) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(die, &size) == 0 ? size : 0;
}

Kind kind_of(int tag) {
  switch (tag) {
    case DW_TAG_pointer_type:
      return Kind::Pointer;
    case DW_TAG_array_type:
      return Kind::Array;
    case DW_TAG_structure_type:
      return Kind::Struct;
    case DW_TAG_union_type:
      return Kind::Union;
    case DW_TAG_enumeration_type:
      return Kind::Enum;
    case DW_TAG_typedef:
      return Kind::Typedef;
    case DW_TAG_const_type:
      return Kind::Const;
    case DW_TAG_volatile_type:
      return Kind::Volatile;
    case DW_TAG_subroutine_type:
      return Kind::Function;
    default:
      return Kind::Unknown;
  }
}

void describe_base(Dwarf_Die* die, DebugType& out) {
  switch (unsigned_attribute(die, DW_AT_encoding).value_or(0)) {
    case DW_ATE_signed:
      out.kind = Kind::Integer;
      out.is_signed = true;
      break;
    case DW_ATE_signed_char:
      out.kind = Kind::Integer;
      out.is_signed = true;
      out.is_character = true;
      break;
    case DW_ATE_unsigned_char:
      out.kind = Kind::Integer;
      out.is_character = true;
      break;
    case DW_ATE_boolean:
      out.kind = Kind::Integer;
      out.is_boolean = true;
      break;
    case DW_ATE_unsigned:
      out.kind = Kind::Integer;
      break;
    case DW_ATE_float:
      out.kind = Kind::Float;
      break;
    default:
      break;
  }
}

// DWARF 4 and later count a bit-field's bits from the record's beginning.
DebugMember member(Dwarf_Die* die) {
  const auto bytes = unsigned_attribute(die, DW_AT_data_member_location).value_or(0);
  const auto bits = unsigned_attribute(die, DW_AT_data_bit_offset);
  return {.name = die_name(die),
          .type = target_of(die),
          .offset_bits = bits.value_or(bytes * 8),
          .width_bits = static_cast<std::uint32_t>(
              unsigned_attribute(die, DW_AT_bit_size).value_or(0))};
}

std::uint64_t count_of(Dwarf_Die* subrange) {
  if (const auto count = unsigned_attribute(subrange, DW_AT_count)) {
    return *count;
  }
  const auto last = unsigned_attribute(subrange, DW_AT_upper_bound);
  return last ? *last + 1 : 0;
}

void describe_enumerators(Dwarf_Die* die, DebugType& out) {
  for_each_child(die, DW_TAG_enumerator, [&](Dwarf_Die* one) {
    Dwarf_Attribute attribute{};
    Dwarf_Sword value = 0;
    if (dwarf_attr(one, DW_AT_const_value, &attribute) != nullptr &&
        dwarf_formsdata(&attribute, &value) == 0) {
      out.enumerators.push_back({.name = die_name(one), .value = value});
      out.is_signed = out.is_signed || value < 0;
    }
  });
}

}  // namespace

std::optional<Dwarf_Die> referred_die(Dwarf_Die* die, unsigned attribute_name) {
  Dwarf_Attribute attribute{};
  Dwarf_Die out{};
  if (dwarf_attr_integrate(die, attribute_name, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &out) == nullptr) {
    return std::nullopt;
  }
  return out;
}

DebugType DebugInformation::type(DebugTypeId id) const {
  if (id == DebugTypeId::Void) {
    return {.kind = Kind::Void};
  }
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = dwfl_module_getdwarf(handle_->module, &bias);
  Dwarf_Die die{};
  if (dwarf_offdie(dwarf, static_cast<Dwarf_Off>(id), &die) == nullptr) {
    return {};
  }
  const int tag = dwarf_tag(&die);
  if (tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type) {
    return type(target_of(&die));
  }
  DebugType out{.kind = kind_of(tag),
                .name = die_name(&die),
                .size_bytes = size_of(&die),
                .target = target_of(&die)};
  out.is_complete = !dwarf_hasattr(&die, DW_AT_declaration);
  if (tag == DW_TAG_base_type) {
    describe_base(&die, out);
  } else if (tag == DW_TAG_array_type) {
    for_each_child(&die, DW_TAG_subrange_type,
                   [&](Dwarf_Die* one) { out.counts.push_back(count_of(one)); });
  } else if (tag == DW_TAG_enumeration_type) {
    describe_enumerators(&die, out);
  } else if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type) {
    for_each_child(&die, DW_TAG_member,
                   [&](Dwarf_Die* one) { out.members.push_back(member(one)); });
  }
  return out;
}

}  // namespace kinst::kernel
