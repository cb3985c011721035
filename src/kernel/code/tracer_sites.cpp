#include "kernel/code/tracer_sites.h"

#include <algorithm>

namespace kinst::kernel {

TracerSites TracerSites::read() {
  const auto functions = TraceableFunctions::read(Sites::Wanted);
  return functions ? TracerSites(*functions) : TracerSites();
}

TracerSites::TracerSites(const TraceableFunctions& functions) : is_known_(true) {
  for (const TraceableFunction& one : functions.all()) {
    if (one.site != 0) {
      sites_.push_back(KernelAddress{one.site});
    } else {
      names_.emplace(one.module, one.name);
    }
  }
  std::ranges::sort(sites_);
}

// The call is among a function's first bytes, behind what marks it as the target of
// calls. Functions are no closer to each other than 16 bytes where they have one.
TracerSites::Found TracerSites::find(const Symbol& symbol) const {
  constexpr std::uint64_t first_bytes = 16;
  if (!is_known_) {
    return {};
  }
  const auto site = std::ranges::lower_bound(sites_, symbol.address);
  if (site != sites_.end() &&
      number(*site - symbol.address) <= std::min(first_bytes, symbol.size_bytes)) {
    return {.answer = Answer::Traceable,
            .site = FunctionOffset{number(*site - symbol.address)}};
  }
  const bool is_named = names_.contains({symbol.module, symbol.name});
  return {.answer = is_named ? Answer::Traceable : Answer::NotTraceable};
}

}  // namespace kinst::kernel
