// Where parameters and local variables are. Of DWARF's location expressions those are
// understood that say "in this register", "at this register plus that", "this
// constant"; others, such as what only the caller's frame knows, count as unavailable.
#include <dwarf.h>

#include <algorithm>
#include <array>

#include "kernel/debug/debug_information.h"
#include "kernel/debug/debug_information_handle.h"

namespace kinst::kernel {
namespace {

using LocationKind = VariableLocation::Kind;

struct Place {
  Dwfl_Module* module = nullptr;
  const isa::Isa* isa = nullptr;
  Dwarf_Addr address = 0;  ///< in the file's terms
  Dwarf_Addr bias = 0;
};

isa::RegisterId register_of(const isa::Isa& isa, Dwarf_Word number) {
  return number < isa.dwarf_registers.size() ? isa.dwarf_registers[number]
                                             : isa::RegisterId::None;
}

// "register plus offset", as DW_OP_bregN, fbreg and call_frame_cfa say it.
std::optional<VariableLocation> register_plus(const isa::Isa& isa, Dwarf_Word number,
                                              Dwarf_Word offset) {
  const isa::RegisterId base = register_of(isa, number);
  if (base == isa::RegisterId::None) {
    return std::nullopt;
  }
  return VariableLocation{.kind = LocationKind::Memory,
                          .base = base,
                          .offset = static_cast<std::int64_t>(offset)};
}

// The canonical frame address at the place, from unwind tables.
std::optional<VariableLocation> frame_address(const Place& place) {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* tables = dwfl_module_dwarf_cfi(place.module, &bias);
  if (tables == nullptr) {
    tables = dwfl_module_eh_cfi(place.module, &bias);
  }
  Dwarf_Frame* frame = nullptr;
  if (tables == nullptr ||
      dwarf_cfi_addrframe(tables, place.address + place.bias - bias, &frame) != 0) {
    return std::nullopt;
  }
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  std::optional<VariableLocation> out;
  if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count == 1) {
    if (operations[0].atom >= DW_OP_breg0 && operations[0].atom <= DW_OP_breg31) {
      out = register_plus(*place.isa, operations[0].atom - DW_OP_breg0,
                          operations[0].number);
    } else if (operations[0].atom == DW_OP_bregx) {
      out = register_plus(*place.isa, operations[0].number, operations[0].number2);
    }
  }
  ::free(frame);
  return out;
}

// The first operation as a location; memory unless it says "in register".
std::optional<VariableLocation> first_operation(const Dwarf_Op& operation,
                                                const Place& place) {
  const unsigned atom = operation.atom;
  if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
    const isa::RegisterId base = register_of(*place.isa, atom - DW_OP_reg0);
    return base == isa::RegisterId::None
               ? std::nullopt
               : std::optional(
                     VariableLocation{.kind = LocationKind::Register, .base = base});
  }
  if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
    return register_plus(*place.isa, atom - DW_OP_breg0, operation.number);
  }
  if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
    return VariableLocation{.kind = LocationKind::Memory,
                            .offset = static_cast<std::int64_t>(atom - DW_OP_lit0)};
  }
  switch (atom) {
    case DW_OP_fbreg:
    case DW_OP_call_frame_cfa: {
      auto out = frame_address(place);
      if (out && atom == DW_OP_fbreg) {
        out->offset += static_cast<std::int64_t>(operation.number);
      }
      return out;
    }
    case DW_OP_addr:
      return VariableLocation{
          .kind = LocationKind::Memory,
          .offset = static_cast<std::int64_t>(operation.number + place.bias)};
    case DW_OP_const1u:
    case DW_OP_const2u:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_constu:
    case DW_OP_const1s:
    case DW_OP_const2s:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_consts:
      return VariableLocation{.kind = LocationKind::Memory,
                              .offset = static_cast<std::int64_t>(operation.number)};
    default:
      return std::nullopt;
  }
}

VariableLocation location_from(std::span<const Dwarf_Op> operations,
                               const Place& place) {
  if (operations.empty()) {
    return {};
  }
  auto out = first_operation(operations.front(), place);
  if (!out) {
    return {};
  }
  for (const Dwarf_Op& operation : operations.subspan(1)) {
    if (out->kind != LocationKind::Memory) {
      return {};
    }
    switch (operation.atom) {
      case DW_OP_plus_uconst:
        out->offset += static_cast<std::int64_t>(operation.number);
        break;
      case DW_OP_stack_value:
        out->kind = LocationKind::Value;
        break;
      default:
        return {};
    }
  }
  return *out;
}

VariableLocation location(Dwarf_Die* die, const Place& place) {
  Dwarf_Attribute attribute{};
  if (dwarf_attr_integrate(die, DW_AT_const_value, &attribute) != nullptr) {
    Dwarf_Sword value = 0;
    if (dwarf_formsdata(&attribute, &value) == 0) {
      return {.kind = LocationKind::Value, .offset = value};
    }
  }
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(die, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation_addr(&attribute, place.address, &operations, &count, 1) != 1) {
    return {};
  }
  return location_from(std::span<const Dwarf_Op>(operations, count), place);
}

// "const struct file *" for a type's DIE; empty where C's spelling would need a
// declarator around the name (arrays, functions) or there is no name.
std::string type_name(std::optional<Dwarf_Die> type) {
  if (!type) {
    return "void";
  }
  std::string own = die_name(&*type);
  const auto with = [&](std::string_view before, std::string_view after) {
    const std::string inner = type_name(referred_die(&*type, DW_AT_type));
    return inner.empty() ? inner : fmt::format("{}{}{}", before, inner, after);
  };
  switch (dwarf_tag(&*type)) {
    case DW_TAG_base_type:
    case DW_TAG_typedef:
      return own;
    case DW_TAG_structure_type:
      return own.empty() ? own : "struct " + own;
    case DW_TAG_union_type:
      return own.empty() ? own : "union " + own;
    case DW_TAG_enumeration_type:
      return own.empty() ? own : "enum " + own;
    case DW_TAG_const_type: {
      const auto inner = referred_die(&*type, DW_AT_type);
      Dwarf_Die copy = inner.value_or(Dwarf_Die{});
      const bool is_pointer = inner && dwarf_tag(&copy) == DW_TAG_pointer_type;
      return is_pointer ? with("", " const") : with("const ", "");
    }
    case DW_TAG_volatile_type:
      return with("volatile ", "");
    case DW_TAG_restrict_type:
      return with("", "");
    case DW_TAG_pointer_type: {
      const std::string inner = type_name(referred_die(&*type, DW_AT_type));
      return inner.empty() ? inner : inner + (inner.ends_with('*') ? "*" : " *");
    }
    default:
      return {};
  }
}

LocalVariable variable(Dwarf_Die* die, const Place& place) {
  LocalVariable out{.name = die_name(die), .location = location(die, place)};
  if (auto type = referred_die(die, DW_AT_type)) {
    out.type = type_name(type);
    out.type_id = DebugTypeId{dwarf_dieoffset(&*type)};
    Dwarf_Word size = 0;
    out.size_bytes = dwarf_aggregate_size(&*type, &size) == 0 ? size : 0;
  }
  return out;
}

// Variables declared directly in a scope, which are not hidden by inner ones.
void add_scope(Dwarf_Die* scope, const Place& place, std::vector<LocalVariable>& out) {
  Dwarf_Die child{};
  if (dwarf_child(scope, &child) != 0) {
    return;
  }
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) {
      continue;
    }
    LocalVariable one = variable(&child, place);
    if (!one.name.empty() &&
        std::ranges::find(out, one.name, &LocalVariable::name) == out.end()) {
      out.push_back(std::move(one));
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

// The variables of the scopes, the innermost first, up to the function they are in.
// Returns that function's copy if it was inlined.
std::optional<Dwarf_Die> add_function(std::span<Dwarf_Die> scopes, const Place& place,
                                      std::vector<LocalVariable>& out) {
  for (Dwarf_Die& scope : scopes) {
    const int tag = dwarf_tag(&scope);
    if (tag == DW_TAG_compile_unit) {
      break;
    }
    add_scope(&scope, place, out);
    if (tag == DW_TAG_inlined_subroutine) {
      return scope;
    }
    if (tag == DW_TAG_subprogram) {
      break;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<LocalVariable> DebugInformation::variables(KernelAddress address) const {
  std::vector<LocalVariable> out;
  const auto unit = unit_at(handle_->module, address);
  if (!unit) {
    return out;
  }
  const Place place{.module = handle_->module,
                    .isa = handle_->isa,
                    .address = number(address) - unit->bias,
                    .bias = unit->bias};
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes(unit->die, place.address, &scopes);
  auto inlined = add_function(
      std::span(scopes, static_cast<std::size_t>(std::max(count, 0))), place, out);
  ::free(scopes);
  while (inlined) {  // what it was inlined into comes next
    Dwarf_Die* around = nullptr;
    const int depth = dwarf_getscopes_die(&*inlined, &around);
    const auto all = std::span(around, static_cast<std::size_t>(std::max(depth, 0)));
    inlined = all.empty() ? std::nullopt : add_function(all.subspan(1), place, out);
    ::free(around);
  }
  return out;
}

}  // namespace kinst::kernel
