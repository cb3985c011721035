// Prototypes of D's functions as their tables write them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace kinst::d {

struct PrototypeParameter {
  std::string_view type;        ///< D's spelling; empty for "@", any type, and "@a"
  bool is_optional = false;     ///< "[int]"
  bool is_aggregation = false;  ///< "@a"
};

struct Prototype {
  std::string_view result;
  std::vector<PrototypeParameter> parameters;
  bool is_variadic = false;  ///< "..."

  [[nodiscard]] std::size_t required() const;
};

/// "string(const char *, [int])" taken apart; views into `text`.
Prototype parse_prototype(std::string_view text);

/// How a function of that prototype is called, for a message: "copyin(uintptr_t,
/// size_t)", "trace(value)", "trunc(@a, [int64_t])".
std::string form_of_call(std::string_view function, const Prototype& prototype);

/// A call that compiles, as "exit(0)" or "stack()"; empty if its arguments must be more
/// than integers.
std::string example_of_call(std::string_view function, const Prototype& prototype);

}  // namespace kinst::d
