// Types by name, and what declarators derive from them. Definitions of structs
// and enums are in type_definitions.cpp.
#include "d/check/type_resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/overloaded.h"
#include "d/check/type_nesting.h"
#include "d/check/type_rules.h"
#include "d/syntax/parse.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using types::TypeId;

namespace {

// What D`name means: a type that D text has declared, not the kernel's of that
// name.
constexpr std::string_view programs_own = "D";

/// Parameters are checked against the names before them.
bool is_named_before(std::span<const Parameter> parameters, std::size_t index) {
  const std::string& name = parameters[index].declarator.name;
  return !name.empty() &&
         std::ranges::any_of(parameters.first(index), [&](const Parameter& other) {
           return other.declarator.name == name;
         });
}

}  // namespace

TypeResolver::TypeResolver(Names& names, Environment& environment,
                           types::TypeTable& table, Diagnostics& diagnostics,
                           Evaluate evaluate)
    : names_(names),
      environment_(environment),
      table_(table),
      diagnostics_(diagnostics),
      evaluate_(std::move(evaluate)),
      base_types_(table) {}

std::optional<TypeId> TypeResolver::resolve(const TypeSyntax& type) {
  const auto base = resolve(type.base);
  return base ? derive(*base, type.derivations) : std::nullopt;
}

std::optional<TypeId> TypeResolver::resolve(const Parameter& parameter) {
  const auto base = resolve(parameter.base);
  return base ? derive(*base, parameter.declarator.derivations) : std::nullopt;
}

std::optional<TypeId> TypeResolver::resolve(const BaseType& base) {
  const auto type = std::visit(
      Overloaded{
          [&](BuiltinType builtin) { return std::optional(base_types_.of(builtin)); },
          [&](const NamedType& name) { return named(name, base.span); },
          [&](const RecordSyntax& syntax) { return record(syntax, base.span); },
          [&](const EnumSyntax& syntax) { return enumeration(syntax, base.span); },
      },
      base.node);
  return type ? std::optional(qualified(*type, base.qualifiers)) : std::nullopt;
}

TypeId TypeResolver::qualified(TypeId type, const Qualifiers& qualifiers) {
  if (qualifiers.is_const) {
    type = table_.add(types::Qualified{types::Qualifier::Const, type});
  }
  if (qualifiers.is_volatile) {
    type = table_.add(types::Qualified{types::Qualifier::Volatile, type});
  }
  return type;
}

// ---------------------------------------------------------------- by name

std::optional<TypeId> TypeResolver::named(const NamedType& type, Span span) {
  const auto found = find_named(type.name);
  if (!found) {
    diagnostics_
        .error("D_UNKNOWN", span, fmt::format("failed to resolve type '{}'", type.name))
        .hint = environment_.why_no_types();
  }
  return found;
}

std::optional<TypeId> TypeResolver::find_named(std::string_view name) {
  const auto backquote = name.find('`');
  if (backquote != std::string_view::npos) {
    const std::string_view object = name.substr(0, backquote);
    name = name.substr(backquote + 1);
    if (object == programs_own) {
      const TypeId* own = d::find(names_.typedefs, name);
      return own == nullptr ? std::nullopt : std::optional(*own);
    }
    return environment_.kernel_type(object, TypeNameKind::Typedef, name);
  }
  if (const TypeId* own = d::find(names_.typedefs, name)) {
    return *own;
  }
  if (const auto base = base_types_.typedef_named(name)) {
    return base;
  }
  if (const auto of_kernel =
          environment_.kernel_type("", TypeNameKind::Typedef, name)) {
    return of_kernel;
  }
  return base_types_.usual_typedef(name);
}

std::optional<TypeId> TypeResolver::find_tagged(TypeNameKind kind,
                                                const std::string& tag) {
  const auto backquote = tag.find('`');
  const std::string object = backquote == std::string::npos ? std::string(programs_own)
                                                            : tag.substr(0, backquote);
  if (object != programs_own) {
    return environment_.kernel_type(object, kind, tag.substr(backquote + 1));
  }
  const auto own =
      names_.tags.find({kind, tag.substr(backquote + 1)});  // npos + 1 is 0
  if (own != names_.tags.end()) {
    return own->second;
  }
  if (backquote != std::string::npos) {
    return std::nullopt;
  }
  return environment_.kernel_type("", kind, tag);
}

// An unknown tag becomes an incomplete type, which a later definition
// completes.
TypeId TypeResolver::tagged(TypeNameKind kind, const std::string& tag) {
  if (const auto found = find_tagged(kind, tag)) {
    return *found;
  }
  const TypeId incomplete = table_.add(
      types::Record{.kind = kind == TypeNameKind::Union ? types::RecordKind::Union
                                                        : types::RecordKind::Struct,
                    .tag = tag});
  names_.tags.emplace(std::pair(kind, tag), incomplete);
  return incomplete;
}

TypeId TypeResolver::completed(TypeId type) {
  const auto* record = std::get_if<types::Record>(&table_.resolved(type));
  if (record == nullptr || record->is_complete || record->tag.empty()) {
    return type;
  }
  const auto kind = record->kind == types::RecordKind::Union ? TypeNameKind::Union
                                                             : TypeNameKind::Struct;
  const auto is_complete = [&](std::optional<TypeId> candidate) {
    return candidate && table_.size_of(*candidate).has_value();
  };
  const auto own = find_tagged(kind, record->tag);
  if (is_complete(own)) {
    return *own;
  }
  const auto kernel = environment_.kernel_type("", kind, record->tag);
  return is_complete(kernel) ? *kernel : type;
}

std::string TypeResolver::why_incomplete(TypeId type) {
  if (std::string reason = environment_.why_no_types(); !reason.empty()) {
    return reason;
  }
  const auto* record = std::get_if<types::Record>(&table_.resolved(type));
  if (record == nullptr || record->tag.empty()) {
    return {};
  }
  NearNames near(record->tag);
  const bool is_union = record->kind == types::RecordKind::Union;
  environment_.offer_types(is_union ? TypeNameKind::Union : TypeNameKind::Struct, near);
  return near.names().empty()
             ? std::string()
             : fmt::format("did you mean '{} {}'?", is_union ? "union" : "struct",
                           near.names().front());
}

std::optional<TypeId> TypeResolver::find(std::string_view spelling) {
  const auto syntax = parse_type(
      spelling, [this](std::string_view name) { return find_named(name).has_value(); });
  return syntax ? resolve(*syntax) : std::nullopt;
}

// ---------------------------------------------------------------- derived

std::optional<TypeId> TypeResolver::derive(TypeId base,
                                           std::span<const Derivation> derivations) {
  std::optional<TypeId> type = base;
  for (const Derivation& derivation : derivations) {
    type = std::visit(
        Overloaded{
            [&](const PointerDerivation& pointer) -> std::optional<TypeId> {
              return qualified(table_.pointer_to(*type), pointer.qualifiers);
            },
            [&](const ArrayDerivation& syntax) {
              return array(*type, syntax, derivation.span);
            },
            [&](const AssociativeDerivation&) -> std::optional<TypeId> {
              diagnostics_.error("D_DECL_DYNOBJ", derivation.span,
                                 "an associative array cannot stand here");
              return std::nullopt;
            },
            [&](const FunctionDerivation& syntax) { return function(*type, syntax); },
        },
        derivation.node);
    if (!type) {
      return std::nullopt;
    }
    if (is_nested_too_deeply(table_, *type)) {
      diagnostics_.error("D_SYNTAX", derivation.span, "the type is nested too deeply");
      return std::nullopt;
    }
  }
  return type;
}

std::optional<TypeId> TypeResolver::array(TypeId element, const ArrayDerivation& array,
                                          Span span) {
  if (is_void(table_, element)) {
    diagnostics_.error("D_DECL_VOIDOBJ", span, "cannot declare an array of void");
    return std::nullopt;
  }
  if (is_function(table_, element)) {
    diagnostics_.error("D_DECL_VOIDOBJ", span, "cannot declare an array of functions");
    return std::nullopt;
  }
  if (array.size == nullptr) {
    return table_.array_of(element, 0);
  }
  const auto size = evaluate_(*array.size);
  if (size == nullptr) {
    return std::nullopt;
  }
  const auto* constant = typed::as_integer(*size);
  if (constant == nullptr || constant->value == 0 ||
      (table_.is_signed(size->type) &&
       static_cast<std::int64_t>(constant->value) < 0)) {
    diagnostics_.error("D_DECL_ARRSUB", array.size->span,
                       "an array's size must be a positive integer constant, or a list "
                       "of key types");
    return std::nullopt;
  }
  // As many bytes as a pointer can tell apart, as in C.
  constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t element_bytes = table_.size_of(element).value_or(1);
  if (constant->value > std::numeric_limits<std::uint32_t>::max() ||
      (element_bytes != 0 && constant->value > most_bytes / element_bytes)) {
    diagnostics_.error("D_DECL_ARRBIG", array.size->span, "array size too big");
    return std::nullopt;
  }
  return table_.array_of(element, constant->value);
}

std::optional<TypeId> TypeResolver::function(TypeId result,
                                             const FunctionDerivation& function) {
  types::Function type{.result = result, .is_variadic = function.is_variadic};
  const std::span<const Parameter> parameters = function.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const auto is_associative = [](const Derivation& derivation) {
      return std::holds_alternative<AssociativeDerivation>(derivation.node);
    };
    if (std::ranges::any_of(parameter.declarator.derivations, is_associative)) {
      diagnostics_.error("D_DECL_PROTO_TYPE", parameter.span,
                         "a function's parameter cannot be an associative array");
      return std::nullopt;
    }
    const auto resolved = resolve(parameter);
    if (!resolved) {
      return std::nullopt;
    }
    const bool is_void_parameter = is_void(table_, *resolved);
    if (is_void_parameter && !parameter.declarator.name.empty()) {
      diagnostics_.error("D_DECL_PROTO_NAME", parameter.span,
                         fmt::format("a void parameter may not have a name: {}",
                                     parameter.declarator.name));
      return std::nullopt;
    }
    if (is_void_parameter && parameters.size() > 1) {
      diagnostics_.error("D_DECL_PROTO_VOID", parameter.span,
                         "void must be the only parameter");
      return std::nullopt;
    }
    if (is_named_before(parameters, i)) {
      diagnostics_.error(
          "D_DECL_PROTO_FORM", parameter.span,
          fmt::format("parameter '{}' is declared twice", parameter.declarator.name));
      return std::nullopt;
    }
    if (!is_void_parameter) {
      type.parameters.push_back(*resolved);
    }
  }
  return table_.add(std::move(type));
}

std::optional<std::vector<TypeId>> TypeResolver::resolve_keys(
    std::span<const Parameter> keys) {
  std::vector<TypeId> resolved;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto type = resolve(keys[i]);
    if (!type) {
      return std::nullopt;
    }
    if (is_void(table_, *type)) {
      diagnostics_.error("D_DECL_PROTO_TYPE", keys[i].span,
                         fmt::format("key {} of an array cannot be void", i + 1));
      return std::nullopt;
    }
    if (is_named_before(keys, i)) {
      diagnostics_.error(
          "D_DECL_PROTO_FORM", keys[i].span,
          fmt::format("key '{}' is declared twice", keys[i].declarator.name));
      return std::nullopt;
    }
    resolved.push_back(*type);
  }
  return resolved;
}

}  // namespace kinst::d
