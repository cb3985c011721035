// args[]: what probes have, and whether those of one description agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "d/check.h"
#include "d/environment.h"
#include "provider/probe.h"
#include "session/match.h"
#include "session/providers.h"
#include "types/type.h"

namespace kinst::session {

/// Types of a probe's args[]. environment: for types that are told as text.
std::vector<d::ProbeArgument> arguments_of(const provider::Probe& probe,
                                           const Providers& providers,
                                           d::Environment& environment,
                                           types::TypeTable& types);

/// Compares the args[] of a description's probes, once a program uses them: to find
/// them out takes a while where there are many probes. References what it is made from.
class ArgumentDifferences {
 public:
  ArgumentDifferences(const Matches& matches, const Providers& providers,
                      types::TypeTable& types)
      : matches_(&matches), providers_(&providers), types_(&types) {}

  /// As d::Environment::argument_difference().
  std::string find(std::size_t description, std::uint64_t argument,
                   d::Environment& environment);

 private:
  const Matches* matches_;
  const Providers* providers_;
  types::TypeTable* types_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::string> found_;
};

}  // namespace kinst::session
