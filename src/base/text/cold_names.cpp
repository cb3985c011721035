#include "base/text/cold_names.h"

#include <cstddef>

namespace kinst {

std::string_view whole_of_cold_part(std::string_view name) {
  constexpr std::string_view cold = ".cold";
  const std::size_t at = name.rfind(cold);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::string_view behind = name.substr(at + cold.size());
  return behind.empty() || behind.front() == '.' ? name.substr(0, at)
                                                 : std::string_view();
}

}  // namespace kinst
