// The providers of this kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "compile/match/system.h"
#include "provider/provider.h"

namespace kinst::compile {

using Providers = std::vector<std::unique_ptr<provider::Provider>>;

/// Makes all providers; `system` must outlive them. This costs nothing, because each
/// provider reads what it needs when it is first asked.
/// most_probes: how many probes one description of the kinst provider may match; 0 for
/// no limit. reading: called for each function while the code of many functions is
/// read; may stop the reading.
Providers make_providers(System& system, provider::Purpose purpose,
                         std::size_t most_probes, ProgressReport reading = {});

}  // namespace kinst::compile
