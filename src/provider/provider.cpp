// What providers share.
#include "provider/provider.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "base/text/glob.h"

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

std::vector<Probe> Provider::awaited(const d::Description& /*description*/) const {
  return {};
}

Match Provider::coming(const d::Description& /*description*/) {
  return {};
}

bool means_process(std::string_view provider_field) {
  return provider_field.starts_with(process_provider);
}

bool is_awaited(const Probe& probe) {
  if (const auto* coming = std::get_if<ComingFunction>(&probe.site)) {
    return coming->is_awaited;
  }
  const auto* place = std::get_if<UserInstruction>(&probe.site);
  return place != nullptr && place->file.empty();
}

bool comes_with_module(const Probe& probe) {
  return std::holds_alternative<ComingFunction>(probe.site);
}

bool waits_for_modules(std::span<const Probe> probes) {
  return std::ranges::any_of(probes, comes_with_module);
}

bool fires_by_itself(const Probe& probe) {
  return std::visit(Overloaded{[](const DtraceProbe&) { return true; },
                               [](const Timer&) { return true; },
                               [](const KernelInstruction&) { return false; },
                               [](const SystemCall&) { return false; },
                               [](const KernelFunction&) { return false; },
                               [](const ComingFunction&) { return false; },
                               [](const Tracepoint&) { return false; },
                               [](const RawTracepoint&) { return false; },
                               [](const UserInstruction&) { return false; }},
                    probe.site);
}

bool is_function_entry(const Probe& probe) {
  if (const auto* function = std::get_if<KernelFunction>(&probe.site)) {
    return function->edge == Edge::Entry;
  }
  if (const auto* coming = std::get_if<ComingFunction>(&probe.site)) {
    return coming->place != ComingPlace::Return;
  }
  const auto* instruction = std::get_if<KernelInstruction>(&probe.site);
  return instruction != nullptr && instruction->is_entry;
}

bool is_function_return(const Probe& probe) {
  if (const auto* function = std::get_if<KernelFunction>(&probe.site)) {
    return function->edge == Edge::Return;
  }
  const auto* coming = std::get_if<ComingFunction>(&probe.site);
  return coming != nullptr && coming->place == ComingPlace::Return;
}

bool covers(const d::Description& description, const Probe& probe) {
  const auto field_covers = [](std::string_view pattern, std::string_view text) {
    return pattern.empty() || glob_matches(pattern, text);
  };
  return field_covers(description.module, probe.module) &&
         field_covers(description.function, probe.function) &&
         field_covers(description.name, probe.name);
}

// A hash instead of the names themselves: lists of 100,000 probes are usual.
std::size_t ProbeList::hash_of(const Probe& probe) {
  std::size_t hash = probe.key;
  for (const std::string* name :
       {&probe.provider, &probe.module, &probe.function, &probe.name}) {
    hash = hash * 31 + std::hash<std::string_view>()(*name);
  }
  return hash;
}

std::size_t ProbeList::add(Probe probe) {
  const std::size_t hash = hash_of(probe);
  const auto [first, last] = index_.equal_range(hash);
  const auto known = std::find_if(first, last, [&](const auto& entry) {
    const Probe& other = probes_[entry.second];
    const std::uint64_t key = other.key == other.id ? 0 : other.key;
    return std::tie(other.provider, other.module, other.function, other.name, key) ==
           std::tie(probe.provider, probe.module, probe.function, probe.name,
                    probe.key);
  });
  if (known != last) {
    return known->second;
  }
  index_.emplace(hash, probes_.size());
  probe.id = static_cast<std::uint32_t>(probes_.size() + 1);
  if (probe.key == 0) {
    probe.key = probe.id;
  }
  probes_.push_back(std::move(probe));
  return probes_.size() - 1;
}

}  // namespace kinst::provider
