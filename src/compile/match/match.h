// Finds the probes that a program's descriptions match.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/text/diagnostic.h"
#include "compile/match/providers.h"
#include "d/syntax/ast.h"
#include "provider/provider.h"

namespace kinst::compile {

enum class Unmatched : std::uint8_t {
  IsError,
  IsAllowed,  ///< -Z
};

/// A description that may match more probes while it is traced.
struct Awaited {
  std::size_t description = 0;  ///< its index in Matches::descriptions
  d::Description names;
  /// Placeholders for the probes that will come, one for each kind of place, as indexes
  /// of Matches::probes.
  std::vector<std::size_t> probes;
};

struct Matches {
  provider::ProbeList probes;
  /// For each probe description of all programs, in source order: its probes, as
  /// indexes of `probes`.
  std::vector<std::vector<std::size_t>> of_description;
  /// The descriptions, in the same order.
  std::vector<const d::ProbeSpecifier*> descriptions;
  std::vector<provider::Skipped> skipped;
  /// Descriptions that may match more. Their placeholders are the last of `probes` and
  /// are in no of_description.
  std::vector<Awaited> awaited;
  /// All descriptions' notes; see provider::Match.
  std::vector<std::string> notes;
};

/// Asks the providers for the probes of all descriptions. The three probes of the
/// dtrace provider always come first.
/// A description that matches nothing is an error in `diagnostics` (D_PDESC_ZERO), with
/// the reason.
Matches match(std::span<const d::Program* const> programs, const Providers& providers,
              Unmatched unmatched, Diagnostics& diagnostics);

}  // namespace kinst::compile
