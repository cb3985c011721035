// The dtrace provider: BEGIN, END and ERROR, which kinst itself runs.
#pragma once

#include <array>

#include "provider/provider.h"

namespace kinst::provider {

class DtraceProvider final : public Provider {
 public:
  [[nodiscard]] std::string_view name() const override { return "dtrace"; }
  Result<Match> match(const d::Description& description) override;

  /// BEGIN, END and ERROR. Their ids are 1, 2 and 3 in every run.
  static std::array<Probe, 3> probes();
};

}  // namespace kinst::provider
