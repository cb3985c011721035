// struct, union and enum definitions.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "base/overloaded.h"
#include "d/check/type_nesting.h"
#include "d/check/type_resolver.h"
#include "d/check/type_rules.h"
#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"
#include "types/lay_out.h"

namespace kinst::d {

using types::TypeId;

namespace {

bool is_scoped(std::string_view name) {
  return name.find('`') != std::string_view::npos;
}

// The names by which a record's members can be had, those of anonymous records
// too.
void collect_names(const types::TypeTable& table, TypeId type,
                   std::vector<std::string>& names) {
  const auto* record = std::get_if<types::Record>(&table.resolved(type));
  if (record == nullptr) {
    return;
  }
  for (const types::Member& member : record->members) {
    if (member.name.empty()) {
      collect_names(table, member.type, names);
    } else {
      names.push_back(member.name);
    }
  }
}

// Anonymous records without a name in them are only padding. Each of those that
// stay has a name that no other has, so that looking for one takes no longer
// than the text is.
void drop_nameless(const types::TypeTable& table, types::Record& record) {
  std::erase_if(record.members, [&](const types::Member& member) {
    std::vector<std::string> names;
    if (member.name.empty()) {
      collect_names(table, member.type, names);
    }
    return member.name.empty() && names.empty();
  });
}

/// What an array holds, through all its dimensions.
TypeId element_of(const types::TypeTable& table, TypeId type) {
  while (const auto* array = std::get_if<types::Array>(&table.resolved(type))) {
    type = array->element;
  }
  return type;
}

// No name may be had twice. `members` are those of the syntax, in its order.
bool check_member_names(const types::TypeTable& table, const RecordSyntax& syntax,
                        const std::vector<types::MemberDeclaration>& members,
                        Diagnostics& diagnostics) {
  std::set<std::string, std::less<>> known;
  auto member = members.begin();
  const auto check = [&](Span span) {
    std::vector<std::string> names;
    if (!member->name.empty()) {
      names.push_back(member->name);
    } else if (!member->width_bits) {
      collect_names(table, member->type, names);
    }
    ++member;
    for (const std::string& name : names) {
      if (!known.insert(name).second) {
        diagnostics.error("D_UNKNOWN", span,
                          fmt::format("member {} is defined twice", name));
        return false;
      }
    }
    return true;
  };
  for (const MemberDeclaration& declaration : syntax.members) {
    if (declaration.declarators.empty() && !check(declaration.span)) {
      return false;
    }
    for (const MemberDeclarator& declarator : declaration.declarators) {
      if (!check(declarator.declarator.span)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<TypeId> TypeResolver::record(const RecordSyntax& syntax, Span span) {
  const auto kind = syntax.kind == types::RecordKind::Union ? TypeNameKind::Union
                                                            : TypeNameKind::Struct;
  if (!syntax.is_definition) {
    return tagged(kind, syntax.tag);
  }
  const auto own = names_.tags.find({kind, syntax.tag});
  const bool is_known = !syntax.tag.empty() && own != names_.tags.end();
  if (is_known && table_.size_of(own->second)) {
    diagnostics_.error("D_DECL_TYPERED", span,
                       fmt::format("type redeclared: {}", table_.name_of(own->second)));
    return std::nullopt;
  }
  // The members may point to the struct itself.
  const TypeId id =
      is_known ? own->second
               : table_.add(types::Record{.kind = syntax.kind, .tag = syntax.tag});
  if (!syntax.tag.empty()) {
    names_.tags.insert_or_assign(std::pair(kind, syntax.tag), id);
  }
  std::vector<types::MemberDeclaration> members;
  bool is_good = true;
  for (const MemberDeclaration& member : syntax.members) {
    is_good = add_members(members, member) && is_good;
  }
  if (!is_good || !check_member_names(table_, syntax, members, diagnostics_)) {
    return std::nullopt;
  }
  auto record = types::lay_out(table_, syntax.kind, syntax.tag, members);
  if (!record) {
    diagnostics_.error("D_DECL_ARRBIG", span,
                       fmt::format("{} is too big", table_.name_of(id)));
    return std::nullopt;
  }
  drop_nameless(table_, *record);
  table_.replace(id, std::move(*record));
  if (is_nested_too_deeply(table_, id)) {
    diagnostics_.error("D_SYNTAX", span, "the type is nested too deeply");
    return std::nullopt;
  }
  return id;
}

bool TypeResolver::add_members(std::vector<types::MemberDeclaration>& members,
                               const MemberDeclaration& declaration) {
  const auto base = resolve(declaration.base);
  if (!base) {
    return false;
  }
  if (declaration.declarators.empty()) {
    if (!is_record(table_, *base)) {
      diagnostics_.error("D_DECL_MNAME", declaration.span, "a member needs a name");
      return false;
    }
    if (!table_.size_of(*base)) {
      diagnostics_.error(
          "D_DECL_INCOMPLETE", declaration.span,
          fmt::format("a member without a name has the incomplete type {}",
                      table_.name_of(*base)));
      return false;
    }
    members.push_back({.type = *base});
    return true;
  }
  return std::ranges::all_of(declaration.declarators,
                             [&](const MemberDeclarator& declarator) {
                               return add_member(members, *base, declarator);
                             });
}

bool TypeResolver::add_member(std::vector<types::MemberDeclaration>& members,
                              TypeId base, const MemberDeclarator& declarator) {
  const std::string& name = declarator.declarator.name;
  const Span span = declarator.declarator.span;
  const auto type = derive(base, declarator.declarator.derivations);
  if (!type) {
    return false;
  }
  if (is_scoped(name)) {
    diagnostics_.error("D_DECL_SCOPE", span,
                       fmt::format("a member's name cannot have a scope: {}", name));
    return false;
  }
  if (is_record(table_, element_of(table_, *type)) && !table_.size_of(*type)) {
    diagnostics_.error("D_DECL_INCOMPLETE", span,
                       fmt::format("member {} has the incomplete type {}", name,
                                   table_.name_of(*type)));
    return false;
  }
  if (is_void(table_, *type) || is_function(table_, *type)) {
    diagnostics_.error(
        "D_DECL_VOIDOBJ", span,
        fmt::format("member {} cannot be {}", name, table_.name_of(*type)));
    return false;
  }
  std::optional<std::uint32_t> width_bits;
  if (declarator.width_bits != nullptr) {
    width_bits = bit_width(*declarator.width_bits, *type, !name.empty());
    if (!width_bits) {
      return false;
    }
  }
  members.push_back({.name = name, .type = *type, .width_bits = width_bits});
  return true;
}

std::optional<std::uint32_t> TypeResolver::bit_width(const Expression& width,
                                                     TypeId type, bool is_named) {
  const auto value = evaluate_(width);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* constant = typed::as_integer(*value);
  const bool is_negative = constant != nullptr && table_.is_signed(value->type) &&
                           static_cast<std::int64_t>(constant->value) < 0;
  if (constant == nullptr || is_negative || (constant->value == 0 && is_named)) {
    diagnostics_.error("D_DECL_BFCONST", width.span,
                       "a bit-field's width must be a positive integer constant");
    return std::nullopt;
  }
  if (!std::holds_alternative<types::Integer>(table_.resolved(type))) {
    diagnostics_.error("D_DECL_BFTYPE", width.span,
                       fmt::format("a bit-field cannot be {}", table_.name_of(type)));
    return std::nullopt;
  }
  if (constant->value > 8 * table_.size_of(type).value_or(0)) {
    diagnostics_.error("D_DECL_BFSIZE", width.span,
                       fmt::format("{} bits are too many for a bit-field of type {}",
                                   constant->value, table_.name_of(type)));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(constant->value);
}

std::optional<TypeId> TypeResolver::enumeration(const EnumSyntax& syntax, Span span) {
  if (!syntax.is_definition) {
    if (const auto found = find_tagged(TypeNameKind::Enum, syntax.tag)) {
      return found;
    }
    diagnostics_.error("D_UNKNOWN", span,
                       fmt::format("failed to resolve type 'enum {}'", syntax.tag));
    return std::nullopt;
  }
  const auto own = names_.tags.find({TypeNameKind::Enum, syntax.tag});
  if (!syntax.tag.empty() && own != names_.tags.end()) {
    diagnostics_.error("D_DECL_TYPERED", span,
                       fmt::format("type redeclared: enum {}", syntax.tag));
    return std::nullopt;
  }
  types::Enum type{.tag = syntax.tag};
  const TypeId id = table_.add(type);
  std::int64_t next = 0;
  for (const EnumeratorSyntax& enumerator : syntax.enumerators) {
    if (!add_enumerator(type, id, enumerator, next)) {
      return std::nullopt;
    }
    next = type.enumerators.back().value + 1;
  }
  table_.replace(id, std::move(type));
  if (!syntax.tag.empty()) {
    names_.tags.emplace(std::pair(TypeNameKind::Enum, syntax.tag), id);
  }
  return id;
}

bool TypeResolver::add_enumerator(types::Enum& type, TypeId id,
                                  const EnumeratorSyntax& syntax, std::int64_t next) {
  if (is_scoped(syntax.name)) {
    diagnostics_.error(
        "D_DECL_SCOPE", syntax.span,
        fmt::format("an enumerator's name cannot have a scope: {}", syntax.name));
    return false;
  }
  std::int64_t value = next;
  if (syntax.value != nullptr) {
    const auto given = evaluate_(*syntax.value);
    if (given == nullptr) {
      return false;
    }
    const auto* constant = typed::as_integer(*given);
    if (constant == nullptr) {
      diagnostics_.error(
          "D_DECL_ENCONST", syntax.value->span,
          fmt::format("enumerator {} needs an integer constant", syntax.name));
      return false;
    }
    value = static_cast<std::int64_t>(constant->value);
  }
  using Int = std::numeric_limits<std::int32_t>;
  if (value > Int::max() || value < Int::min()) {
    diagnostics_.error(
        "D_DECL_ENOFLOW", syntax.span,
        fmt::format("enumerator {}'s value {} is not an int's", syntax.name, value));
    return false;
  }
  const GlobalSymbol* known = d::find(names_.globals, syntax.name);
  const auto* constant =
      known == nullptr ? nullptr : std::get_if<ConstantSymbol>(known);
  if (constant != nullptr && constant->type == id) {
    diagnostics_.error("D_UNKNOWN", syntax.span,
                       fmt::format("enumerator {} is defined twice", syntax.name));
    return false;
  }
  if (is_builtin_name(syntax.name) || known != nullptr) {
    diagnostics_.error("D_DECL_IDRED", syntax.span,
                       fmt::format("identifier redeclared: {}", syntax.name));
    return false;
  }
  names_.globals.emplace(
      syntax.name,
      ConstantSymbol{.value = static_cast<std::uint64_t>(value), .type = id});
  type.enumerators.push_back({.name = syntax.name, .value = value});
  return true;
}

}  // namespace kinst::d
