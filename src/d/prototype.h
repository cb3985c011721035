// Prototypes of D's functions as their tables write them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace kinst::d {

struct PrototypeParameter {
  std::string_view type;     ///< D's spelling; empty for "@", any type
  bool is_optional = false;  ///< "[int]"
};

struct Prototype {
  std::string_view result;
  std::vector<PrototypeParameter> parameters;
  bool is_variadic = false;  ///< "..."

  [[nodiscard]] std::size_t required() const;
};

/// "string(const char *, [int])" taken apart; views into `text`.
Prototype parse_prototype(std::string_view text);

}  // namespace kinst::d
