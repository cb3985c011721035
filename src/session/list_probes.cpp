// dtrace(1)'s columns, to the byte.
#include "session/list_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/printable.h"

namespace kinst::session {
namespace {

std::string argument_lines(const provider::Probe& probe, const Providers& providers,
                           const types::TypeTable& types) {
  const auto found = std::ranges::find_if(providers, [&](const auto& provider) {
    return provider->name() == probe.provider;
  });
  if (found == providers.end()) {
    return {};
  }
  std::string out;
  std::size_t number = 0;
  for (const provider::ProbeArgument& argument : (*found)->arguments(probe)) {
    out +=
        fmt::format("\t\targs[{}]: {}{}{}\n", number++,
                    argument.type ? types.name_of(*argument.type) : argument.spelling,
                    argument.name.empty() ? "" : " ", argument.name);
  }
  return out;
}

}  // namespace

std::string probe_table(const std::vector<const provider::Probe*>& probes,
                        const Providers& providers, const types::TypeTable& types,
                        bool with_arguments) {
  constexpr std::size_t usual_line_bytes = 80;
  std::string out = fmt::format("{:>5} {:>10} {:>17} {:>33} {}\n", "ID", "PROVIDER",
                                "MODULE", "FUNCTION", "NAME");
  out.reserve(probes.size() * usual_line_bytes);
  for (const provider::Probe* probe : probes) {
    fmt::format_to(std::back_inserter(out), "{:>5} {:>10} {:>17} {:>33} {}\n",
                   probe->id, probe->provider, printable(probe->module),
                   printable(probe->function), probe->name);
    if (with_arguments) {
      out += argument_lines(*probe, providers, types);
    }
  }
  return out;
}

provider::ProbeList all_probes(const Providers& providers,
                               std::vector<std::string>& absent) {
  provider::ProbeList list;
  for (const auto& provider : providers) {
    if (provider->is_on_demand()) {
      continue;
    }
    auto match = provider->match(d::Description{});
    if (!match) {
      absent.push_back(std::move(match.error().message));
      continue;
    }
    list.reserve(list.all().size() + match->probes.size());
    for (provider::Probe& probe : match->probes) {
      list.add(std::move(probe));
    }
  }
  return list;
}

}  // namespace kinst::session
