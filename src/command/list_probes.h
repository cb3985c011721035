// `-l`: prints the probes that descriptions match as DTrace's table.
#pragma once

#include <string>

#include "compile/match/match.h"
#include "compile/match/providers.h"
#include "compile/match/system.h"

namespace kinst::command {

/// A heading and a row for each probe. If several instructions have the same names,
/// their rows end with their addresses. with_arguments: adds the types of the probes'
/// arguments.
std::string probe_table(const std::vector<const provider::Probe*>& probes,
                        const compile::Providers& providers,
                        const types::TypeTable& types, bool with_arguments);

/// The same rows as JSON, one object on each line.
std::string probe_lines(const std::vector<const provider::Probe*>& probes,
                        const compile::Providers& providers,
                        const types::TypeTable& types, bool with_arguments);

/// All probes of the providers that can list them, for `-l` without a description.
/// absent: gets a sentence for each provider that cannot list its probes: why not.
provider::ProbeList all_probes(const compile::Providers& providers,
                               std::vector<std::string>& absent);

}  // namespace kinst::command
