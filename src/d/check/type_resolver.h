// Types as written to types as values; D's own structs, enums and typedefs.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/check/declared_names.h"
#include "d/check/environment.h"
#include "d/syntax/ast.h"
#include "d/syntax/base_types.h"
#include "d/typed/typed_program.h"
#include "types/lay_out.h"
#include "types/type.h"

namespace kinst::d {

class TypeResolver {
 public:
  /// Checks an expression and returns its value; null after an error, which it has
  /// reported.
  using Evaluate = std::function<typed::ExpressionPointer(const Expression&)>;

  TypeResolver(Names& names, Environment& environment, types::TypeTable& table,
               Diagnostics& diagnostics, Evaluate evaluate);

  /// All of them return nothing after an error, which they have reported.
  std::optional<types::TypeId> resolve(const TypeSyntax& type);
  std::optional<types::TypeId> resolve(const BaseType& base);
  /// Of a parameter. An associative array is an error there.
  std::optional<types::TypeId> resolve(const Parameter& parameter);
  /// What the derivations make of `base`. An associative array among them is an error.
  std::optional<types::TypeId> derive(types::TypeId base,
                                      std::span<const Derivation> derivations);

  /// Checks a tuple signature: types of associative arrays' keys.
  std::optional<std::vector<types::TypeId>> resolve_keys(
      std::span<const Parameter> keys);

  /// The complete type for an incomplete struct or union, if a type of that tag is
  /// known by now, D's own or the kernel's.
  types::TypeId completed(types::TypeId type);
  /// Why the record stays incomplete, and what may have been meant; may be empty.
  std::string why_incomplete(types::TypeId type);

  /// A type by its D spelling, without error: "struct task_struct *", "const char *".
  std::optional<types::TypeId> find(std::string_view spelling);

  [[nodiscard]] const BaseTypes& base_types() const { return base_types_; }

 private:
  std::optional<types::TypeId> named(const NamedType& type, Span span);
  std::optional<types::TypeId> find_named(std::string_view name);
  types::TypeId tagged(TypeNameKind kind, const std::string& tag);
  std::optional<types::TypeId> find_tagged(TypeNameKind kind, const std::string& tag);
  std::optional<types::TypeId> record(const RecordSyntax& syntax, Span span);
  bool add_members(std::vector<types::MemberDeclaration>& members,
                   const MemberDeclaration& declaration);
  bool add_member(std::vector<types::MemberDeclaration>& members, types::TypeId base,
                  const MemberDeclarator& declarator);
  std::optional<std::uint32_t> bit_width(const Expression& width, types::TypeId type,
                                         bool is_named);
  std::optional<types::TypeId> enumeration(const EnumSyntax& syntax, Span span);
  bool add_enumerator(types::Enum& type, types::TypeId id,
                      const EnumeratorSyntax& syntax, std::int64_t next);
  std::optional<types::TypeId> array(types::TypeId element,
                                     const ArrayDerivation& array, Span span);
  std::optional<types::TypeId> function(types::TypeId result,
                                        const FunctionDerivation& function);
  types::TypeId qualified(types::TypeId type, const Qualifiers& qualifiers);

  Names& names_;
  Environment& environment_;
  types::TypeTable& table_;
  Diagnostics& diagnostics_;
  Evaluate evaluate_;
  BaseTypes base_types_;
};

}  // namespace kinst::d
