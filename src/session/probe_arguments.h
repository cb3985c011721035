// args[]: what probes have, and whether those of one description agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/operand_shape.h"
#include "d/check.h"
#include "d/environment.h"
#include "d/typed_program.h"
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
/// them out takes a while where there are many probes, so each is asked once.
/// References what it is made from.
class ArgumentDifferences {
 public:
  ArgumentDifferences(const Matches& matches, const Providers& providers,
                      types::TypeTable& types)
      : matches_(&matches), providers_(&providers), types_(&types) {}

  /// As d::Environment::argument_difference().
  std::string find(std::size_t description, std::uint64_t argument,
                   d::Environment& environment);

  /// The results of the kernel functions at whose returns clauses of `program` use
  /// arg1.
  codegen::ResultTypes results(const d::typed::Program& program,
                               d::Environment& environment);

 private:
  const std::vector<d::ProbeArgument>& of_probe(std::size_t index,
                                                d::Environment& environment);

  const Matches* matches_;
  const Providers* providers_;
  types::TypeTable* types_;
  std::map<std::size_t, std::vector<d::ProbeArgument>> known_;  ///< by probe
};

}  // namespace kinst::session
