// The providers of this kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "compile/match/ground.h"
#include "provider/provider.h"

namespace kinst::compile {

using Providers = std::vector<std::unique_ptr<provider::Provider>>;

/// Makes all providers; `ground` must outlive them. This costs nothing, because each
/// provider reads what it needs when it is first asked.
/// most_probes: how many probes one description of the kinst provider may match; 0 for
/// no limit.
Providers make_providers(Ground& ground, provider::Purpose purpose,
                         std::size_t most_probes);

}  // namespace kinst::compile
