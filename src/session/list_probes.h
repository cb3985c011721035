// `-l`: the probes that descriptions mean, as DTrace's table.
#pragma once

#include <string>

#include "session/ground.h"
#include "session/match.h"
#include "session/providers.h"

namespace kinst::session {

/// A row for each probe, under a heading; instructions that share all names have their
/// addresses behind; with types of arguments if `with_arguments`.
std::string probe_table(const std::vector<const provider::Probe*>& probes,
                        const Providers& providers, const types::TypeTable& types,
                        bool with_arguments);

/// The same as JSON, an object a line.
std::string probe_lines(const std::vector<const provider::Probe*>& probes,
                        const Providers& providers, const types::TypeTable& types,
                        bool with_arguments);

/// Every probe of the providers that list theirs: `-l` without a description.
/// absent: gets why a provider's are missing, a sentence each.
provider::ProbeList all_probes(const Providers& providers,
                               std::vector<std::string>& absent);

}  // namespace kinst::session
