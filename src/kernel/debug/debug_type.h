// A type as debug information describes it: one level, whose parts are looked up when
// they are needed, as `struct task_struct` alone leads to thousands of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinst::kernel {

/// A type by the place of its description in one DebugInformation.
enum class DebugTypeId : std::uint64_t { Void = 0 };

enum class DebugTypeKind : std::uint8_t {
  Unknown,  ///< what C does not have, or what is not understood
  Void,
  Integer,
  Float,
  Pointer,
  Array,
  Struct,
  Union,
  Enum,
  Typedef,
  Const,
  Volatile,
  Function,
};

struct DebugMember {
  std::string name;  ///< empty for an anonymous struct or union
  DebugTypeId type = DebugTypeId::Void;
  std::uint64_t offset_bits = 0;
  std::uint32_t width_bits = 0;  ///< 0 unless it is a bit-field
};

struct DebugEnumerator {
  std::string name;
  std::int64_t value = 0;
};

struct DebugType {
  DebugTypeKind kind = DebugTypeKind::Unknown;
  std::string name;              ///< "unsigned long", "file"; may be empty
  std::uint64_t size_bytes = 0;  ///< 0 if unknown
  /// Of pointers, arrays, typedefs and qualifiers.
  DebugTypeId target = DebugTypeId::Void;
  bool is_signed = false;
  bool is_character = false;
  bool is_boolean = false;
  bool is_complete = true;  ///< false for `struct foo;`
  /// Of arrays, a number for each dimension, 0 for `[]`.
  std::vector<std::uint64_t> counts;
  std::vector<DebugMember> members;
  std::vector<DebugEnumerator> enumerators;
};

}  // namespace kinst::kernel
