// What providers share.
#include "provider/provider.h"

#include <fmt/format.h>

#include <utility>

#include "base/glob.h"

namespace kinst::provider {

bool Provider::is_meant_by(std::string_view provider_field) const {
  if (is_on_demand()) {
    return provider_field == name();
  }
  return provider_field.empty() || glob_matches(provider_field, name());
}

std::vector<ProbeArgument> Provider::arguments(const Probe& /*probe*/) const {
  return {};
}

bool covers(const d::Description& description, const Probe& probe) {
  const auto field_covers = [](std::string_view pattern, std::string_view text) {
    return pattern.empty() || glob_matches(pattern, text);
  };
  return field_covers(description.module, probe.module) &&
         field_covers(description.function, probe.function) &&
         field_covers(description.name, probe.name);
}

std::size_t ProbeList::add(Probe probe) {
  std::string identity = fmt::format("{}:{}:{}:{}:{}", probe.provider, probe.module,
                                     probe.function, probe.name, probe.key);
  const auto [place, is_new] = index_.try_emplace(std::move(identity), probes_.size());
  if (is_new) {
    probe.id = static_cast<std::uint32_t>(probes_.size() + 1);
    if (probe.key == 0) {
      probe.key = probe.id;
    }
    probes_.push_back(std::move(probe));
  }
  return place->second;
}

}  // namespace kinst::provider
