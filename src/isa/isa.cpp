#include "isa/isa.h"

#include <algorithm>

namespace kinst::isa {

const Isa& native() {
#if defined(__x86_64__)
  return x86_64();
#else
#error "this machine's instructions are not described yet: see src/isa/isa.h"
#endif
}

std::optional<RegisterId> find_register(const Isa& isa, std::string_view d_name) {
  const auto found = std::ranges::find(isa.register_names, d_name, &RegisterName::name);
  if (found == isa.register_names.end()) {
    return std::nullopt;
  }
  return found->id;
}

}  // namespace kinst::isa
