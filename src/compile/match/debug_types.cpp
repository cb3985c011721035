#include "compile/match/debug_types.h"

#include <ranges>
#include <utility>

namespace kinst::compile {
namespace {

using DebugKind = kernel::DebugTypeKind;

std::optional<types::NameKind> name_kind(DebugKind kind) {
  switch (kind) {
    case DebugKind::Struct:
      return types::NameKind::Struct;
    case DebugKind::Union:
      return types::NameKind::Union;
    case DebugKind::Enum:
      return types::NameKind::Enum;
    case DebugKind::Typedef:
      return types::NameKind::Typedef;
    default:
      return std::nullopt;
  }
}

types::Enum enumeration(const kernel::DebugType& described) {
  types::Enum out{.tag = described.name,
                  .size_bytes = static_cast<std::uint32_t>(described.size_bytes),
                  .is_signed = described.is_signed,
                  .enumerators = {}};
  for (const kernel::DebugEnumerator& one : described.enumerators) {
    out.enumerators.push_back({.name = one.name, .value = one.value});
  }
  return out;
}

}  // namespace

std::optional<types::TypeId> DebugTypes::convert(std::string_view module,
                                                 const kernel::DebugInformation& debug,
                                                 kernel::DebugTypeId id) {
  const auto key = std::pair(&debug, id);
  const auto found = types_by_key_.find(key);
  if (found != types_by_key_.end()) {
    return found->second;
  }
  const auto type =
      make({.module = std::string(module), .debug = &debug}, debug.type(id));
  if (type) {
    types_by_key_.emplace(key, *type);
  }
  return type;
}

std::optional<types::TypeId> DebugTypes::known(const Source& source,
                                               const kernel::DebugType& described) {
  const auto kind = name_kind(described.kind);
  if (!kind || described.name.empty()) {
    return std::nullopt;
  }
  // A module may have no BTF of its own.
  for (const std::string_view module :
       {std::string_view(source.module), kernel::kernel_module}) {
    const auto found = known_->find(*kind, described.name, module);
    if (found && *found &&
        (table_->size_of(**found).value_or(0) == described.size_bytes ||
         !described.is_complete)) {
      return *found;
    }
  }
  return std::nullopt;
}

// What something else is made of; void, behind a pointer harmless, if C has it not.
types::TypeId DebugTypes::part(const Source& source, kernel::DebugTypeId id) {
  return convert(source.module, *source.debug, id).value_or(table_->void_type());
}

types::TypeId DebugTypes::record(const Source& source,
                                 const kernel::DebugType& described) {
  types::Record head{.kind = described.kind == DebugKind::Struct
                                 ? types::RecordKind::Struct
                                 : types::RecordKind::Union,
                     .tag = described.name,
                     .size_bytes = described.size_bytes,
                     .is_complete = described.is_complete,
                     .members = {}};
  if (!described.is_complete) {
    return table_->add(std::move(head));
  }
  return table_->add_deferred([this, source, head, members = described.members] {
    types::Record out = head;
    for (const kernel::DebugMember& member : members) {
      out.members.push_back({.name = member.name,
                             .type = part(source, member.type),
                             .offset_bits = member.offset_bits,
                             .width_bits = member.width_bits});
    }
    return out;
  });
}

types::TypeId DebugTypes::array(const Source& source,
                                const kernel::DebugType& described) {
  types::TypeId type = part(source, described.target);
  for (std::size_t left = described.counts.size(); left != 0; --left) {
    type = table_->array_of(type, described.counts[left - 1]);
  }
  return type;
}

std::optional<types::TypeId> DebugTypes::make(const Source& source,
                                              const kernel::DebugType& described) {
  if (const auto one = known(source, described)) {
    return one;
  }
  const auto size = static_cast<std::uint32_t>(described.size_bytes);
  switch (described.kind) {
    case DebugKind::Unknown:
      return std::nullopt;
    case DebugKind::Void:
      return table_->void_type();
    case DebugKind::Integer:
      return table_->add(types::Integer{.name = described.name,
                                        .size_bytes = size,
                                        .is_signed = described.is_signed,
                                        .is_character = described.is_character,
                                        .is_boolean = described.is_boolean});
    case DebugKind::Float:
      return table_->add(types::Float{.name = described.name, .size_bytes = size});
    case DebugKind::Pointer:
      return table_->pointer_to(part(source, described.target));
    case DebugKind::Array:
      return array(source, described);
    case DebugKind::Struct:
    case DebugKind::Union:
      return record(source, described);
    case DebugKind::Enum:
      return table_->add(enumeration(described));
    case DebugKind::Typedef:
      return table_->add(types::Typedef{.name = described.name,
                                        .target = part(source, described.target)});
    case DebugKind::Const:
      return table_->add(types::Qualified{.qualifier = types::Qualifier::Const,
                                          .target = part(source, described.target)});
    case DebugKind::Volatile:
      return table_->add(types::Qualified{.qualifier = types::Qualifier::Volatile,
                                          .target = part(source, described.target)});
    case DebugKind::Function:
      return table_->add(
          types::Function{.result = part(source, described.target), .parameters = {}});
  }
  return std::nullopt;
}

}  // namespace kinst::compile
