// args[]: the types of probes' arguments, and whether the probes of one description
// agree on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/operand_shape.h"
#include "compile/match/match.h"
#include "compile/match/providers.h"
#include "d/check/check.h"
#include "d/check/environment.h"
#include "d/typed/typed_program.h"
#include "provider/probe.h"
#include "types/type.h"

namespace kinst::compile {

/// The types of a probe's args[]. environment: looks up types that the kernel gives
/// only as text.
std::vector<d::ProbeArgument> arguments_of(const provider::Probe& probe,
                                           const Providers& providers,
                                           d::Environment& environment,
                                           types::TypeTable& types);

/// Compares the args[] of a description's probes, but only if the program uses them:
/// with many probes this takes some time. Each probe is asked once. References its
/// constructor's arguments. environment: as for arguments_of().
class ArgumentDifferences {
 public:
  ArgumentDifferences(const Matches& matches, const Providers& providers,
                      d::Environment& environment, types::TypeTable& types)
      : matches_(&matches),
        providers_(&providers),
        environment_(&environment),
        types_(&types) {}

  /// As d::ProbedCode::argument_difference().
  std::string find(std::size_t description, std::uint64_t argument);

  /// The result types of the kernel functions at whose returns a clause of `program`
  /// uses arg1. of_description: the probes of each description.
  codegen::ResultTypes results(
      const d::typed::Program& program,
      std::span<const std::vector<std::size_t>> of_description);

 private:
  const std::vector<d::ProbeArgument>& of_probe(std::size_t index);

  const Matches* matches_;
  const Providers* providers_;
  d::Environment* environment_;
  types::TypeTable* types_;
  std::map<std::size_t, std::vector<d::ProbeArgument>> known_;  ///< by probe
};

}  // namespace kinst::compile
