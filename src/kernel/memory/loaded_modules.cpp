#include "kernel/memory/loaded_modules.h"

#include <array>
#include <utility>

namespace kinst::kernel {

Result<LoadedModules> read_loaded_modules(const Memory& memory,
                                          KernelAddress list_head) {
  constexpr std::size_t most_modules = 10000;  // a list that changes may not end
  LoadedModules out;
  std::vector<KernelAddress> nodes;
  auto next = KINST_TRY(read_value<KernelAddress>(memory, list_head));
  while (next != list_head && nodes.size() < most_modules) {
    nodes.push_back(next);
    next = KINST_TRY(read_value<KernelAddress>(memory, next));
  }
  if (nodes.empty()) {
    return out;  // and then there is no need to know struct module
  }
  constexpr std::array<std::string_view, 2> names = {"module", "mod_kallsyms"};
  auto layouts = KINST_TRY(read_struct_layouts(names));
  out.layout = std::move(layouts[0]);
  out.symbols_layout = std::move(layouts[1]);
  const std::uint32_t list = out.layout.offset("list").value_or(0);
  for (const KernelAddress node : nodes) {
    out.structs.push_back(KernelAddress{number(node) - list});
  }
  return out;
}

}  // namespace kinst::kernel
