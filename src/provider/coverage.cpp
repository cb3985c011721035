#include "provider/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace kinst::provider {
namespace {

// More names than this are not worth reading.
constexpr std::size_t most_named = 4;

}  // namespace

std::string written(const d::Description& description) {
  const char* quote = description.name.find(':') == std::string::npos ? "" : "\"";
  return fmt::format("{}:{}:{}:{}{}{}", description.provider, description.module,
                     description.function, quote, description.name, quote);
}

Coverage::Coverage(std::span<const kernel::Symbol> functions) {
  std::map<std::string, KernelAddress> known;
  for (const kernel::Symbol& one : functions) {
    const std::string name = fmt::format("{}:{}", one.module, one.name);
    const auto [first, is_new] = known.try_emplace(name, one.address);
    if (!is_new && first->second != one.address) {
      ambiguous_.insert(name);
    }
  }
}

void Coverage::add(const kernel::Symbol& function, bool has_probe,
                   std::span<Skipped> skipped) {
  if (!has_probe && skipped.empty()) {
    return;
  }
  ++meant_;
  const bool is_ambiguous =
      ambiguous_.contains(fmt::format("{}:{}", function.module, function.name));
  const std::string place = fmt::format("at {:x}", number(function.address));
  for (Skipped& one : skipped) {
    if (is_ambiguous) {
      one.reason += fmt::format(" (in the one {})", place);
    }
  }
  if (has_probe) {
    probed_.push_back(is_ambiguous ? fmt::format("{} {}", function.name, place)
                                   : function.name);
  }
}

std::string Coverage::told(const d::Description& description) const {
  if (probed_.empty() || probed_.size() == meant_) {
    return {};
  }
  return fmt::format("{} has probes in {} of {} functions{}; -v says why",
                     written(description), probed_.size(), meant_,
                     probed_.size() > most_named
                         ? std::string()
                         : fmt::format(" ({})", fmt::join(probed_, ", ")));
}

}  // namespace kinst::provider
