// The profile provider: profile-N on every CPU, tick-N on one.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "provider/provider.h"

namespace kinst::provider {

/// Probes come into being when they are named: tick-1sec. Without a name, or with a
/// pattern, those are meant that DTrace has ready: profile-97 to profile-4999, tick-1
/// to tick-5000.
class ProfileProvider final : public Provider {
 public:
  [[nodiscard]] std::string_view name() const override { return "profile"; }
  Result<Match> match(const d::Description& description) override;
};

/// The period that the part behind "profile-" or "tick-" means: "97" and "97hz" times a
/// second, "10ms" every ten milliseconds; DTrace's units ns, us, ms, s, m, h, d and
/// their long forms. Nothing if it is none, or 0.
std::optional<std::chrono::nanoseconds> parse_period(std::string_view text);

}  // namespace kinst::provider
