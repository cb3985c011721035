// Lays out the members of a struct or union that a D program declares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "types/type.h"

namespace kinst::types {

/// A member as it is declared. Its type must be complete.
struct MemberDeclaration {
  std::string name;  ///< empty for anonymous records and unnamed bit-fields
  TypeId type{};
  /// Nothing unless the member is a bit-field. 0 ends the storage unit. At most the
  /// type's width.
  std::optional<std::uint32_t> width_bits;
};

/// The complete struct or union, with the declared members placed as gcc places them:
/// by the System V ABI for x86-64 and arm64 (AAPCS64 differs only for unnamed
/// bit-fields, which it lets align the record). Unnamed bit-fields are left out, as
/// they are only padding.
/// Nothing when its size would not fit 32 bits.
/// Source: System V Application Binary Interface, AMD64 supplement, 3.1.2.
std::optional<Record> lay_out(const TypeTable& table, RecordKind kind, std::string tag,
                              const std::vector<MemberDeclaration>& members);

}  // namespace kinst::types
