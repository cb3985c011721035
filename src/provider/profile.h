// The profile provider: profile-N on every CPU, tick-N on one.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "provider/provider.h"

namespace kinst::provider {

/// Makes the probes that a description names, such as tick-1sec. An empty name or a
/// pattern means the probes that DTrace lists: profile-97 to profile-4999, tick-1 to
/// tick-5000.
class ProfileProvider final : public Provider {
 public:
  [[nodiscard]] std::string_view name() const override { return "profile"; }
  Result<Match> match(const d::Description& description) override;
};

/// The period of a probe's name behind "profile-" or "tick-": "97" and "97hz" mean 97
/// times a second, "10ms" every ten milliseconds. Units are DTrace's: ns, us, ms, s, m,
/// h, d and their long forms. Nothing if the text is no period, or 0.
std::optional<std::chrono::nanoseconds> parse_period(std::string_view text);

}  // namespace kinst::provider
