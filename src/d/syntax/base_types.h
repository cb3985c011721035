// The types that every D program has without declaring them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "d/syntax/ast.h"
#include "types/type.h"

namespace kinst::d {

class BaseTypes {
 public:
  /// Puts them into `table`.
  explicit BaseTypes(types::TypeTable& table);

  [[nodiscard]] types::TypeId of(BuiltinType type) const;
  /// D's own typedefs: int8_t to uint64_t, size_t, uint_t, pid_t, ….
  [[nodiscard]] std::optional<types::TypeId> typedef_named(std::string_view name) const;
  /// Typedefs of the illumos and FreeBSD kernels that scripts take for granted: u_long,
  /// hrtime_t, caddr_t. To be used if neither the program nor the kernel has a typedef
  /// of that name.
  [[nodiscard]] std::optional<types::TypeId> usual_typedef(std::string_view name) const;
  [[nodiscard]] types::TypeId size_type() const { return size_type_; }

  /// The type of an integer literal: the first of int, unsigned, long, unsigned long
  /// (and their `long long` kin if so suffixed) that holds it; decimal ones without an
  /// unsigned suffix stay signed (C99 6.4.4.1). Nothing if none does.
  [[nodiscard]] std::optional<types::TypeId> of(const IntegerLiteral& literal) const;

 private:
  std::array<types::TypeId, 16> builtin_{};
  std::map<std::string, types::TypeId, std::less<>> typedefs_;
  std::map<std::string, types::TypeId, std::less<>> usual_;
  types::TypeId size_type_{};
};

}  // namespace kinst::d
