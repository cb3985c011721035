// The providers of this kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "provider/provider.h"
#include "session/ground.h"

namespace kinst::session {

using Providers = std::vector<std::unique_ptr<provider::Provider>>;

/// Every provider there is; `ground` must outlive them. Making them costs nothing: each
/// reads what it needs when it is first asked.
/// most_probes: how many one description of kinst may mean; 0 for no limit.
Providers make_providers(Ground& ground, provider::Purpose purpose,
                         std::size_t most_probes);

}  // namespace kinst::session
