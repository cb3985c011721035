#include "provider/attach_order.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <variant>

namespace kinst::provider {

bool slows_attaching(const Probe& probe, const isa::Isa& isa) {
  const bool is_in_kernel = std::holds_alternative<KernelInstruction>(probe.site) ||
                            std::holds_alternative<KernelFunction>(probe.site);
  return is_in_kernel &&
         std::ranges::any_of(isa.kernel_decoder, [&](std::string_view begin) {
           return probe.function.starts_with(begin);
         });
}

std::vector<std::size_t> attach_order(
    std::span<const Probe> all, const std::vector<std::vector<std::size_t>>& groups,
    const isa::Isa& isa) {
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // clang 14 does not take std::ranges::stable_partition.
  std::stable_partition(order.begin(), order.end(), [&](std::size_t group) {
    return std::ranges::none_of(groups[group], [&](std::size_t probe) {
      return slows_attaching(all[probe], isa);
    });
  });
  return order;
}

}  // namespace kinst::provider
