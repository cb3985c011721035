// Which probes the descriptions of a program mean.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "d/ast.h"
#include "provider/provider.h"
#include "session/providers.h"

namespace kinst::session {

enum class Unmatched : std::uint8_t {
  IsError,
  IsAllowed,  ///< -Z
};

/// A description that may come to mean more probes while it is traced.
struct Awaited {
  std::size_t description = 0;  ///< its number
  d::Description names;
  /// Indexes of the probes that stand for those: one for each kind of place.
  std::vector<std::size_t> probes;
};

struct Matches {
  provider::ProbeList probes;
  /// For each probe description of all programs, in source order, indexes of `probes`.
  std::vector<std::vector<std::size_t>> of_description;
  /// The descriptions, in the same order.
  std::vector<const d::ProbeSpecifier*> descriptions;
  std::vector<provider::Skipped> skipped;
  /// Their probes are the last of the list, and no description's.
  std::vector<Awaited> awaited;
  /// As provider::Match has them, of all descriptions.
  std::vector<std::string> notes;
};

/// Asks the providers. dtrace's three probes are always the first of the list.
/// A description that means nothing is told in `diagnostics` (D_PDESC_ZERO) with why.
Matches match(std::span<const d::Program* const> programs, const Providers& providers,
              Unmatched unmatched, Diagnostics& diagnostics);

}  // namespace kinst::session
