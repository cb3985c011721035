// dtrace(1)'s columns, to the byte, or an object a line.
#include "command/list_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <variant>

#include "base/text/json_writer.h"
#include "base/text/printable.h"

namespace kinst::command {
namespace {

std::vector<provider::ProbeArgument> arguments_of(const provider::Probe& probe,
                                                  const compile::Providers& providers) {
  const auto found = std::ranges::find_if(providers, [&](const auto& provider) {
    return provider->name() == probe.provider;
  });
  return found == providers.end() ? std::vector<provider::ProbeArgument>()
                                  : (*found)->arguments(probe);
}

std::string type_of(const provider::ProbeArgument& argument,
                    const types::TypeTable& types) {
  return argument.type ? types.name_of(*argument.type) : argument.spelling;
}

std::string argument_lines(const provider::Probe& probe,
                           const compile::Providers& providers,
                           const types::TypeTable& types) {
  std::string out;
  std::size_t number = 0;
  for (const provider::ProbeArgument& argument : arguments_of(probe, providers)) {
    out += fmt::format("\t\targs[{}]: {}{}{}\n", number++, type_of(argument, types),
                       argument.name.empty() ? "" : " ", argument.name);
  }
  return out;
}

// "arguments":[{"name":"file","type":"struct file *"}]
void write_arguments(JsonWriter& json, const provider::Probe& probe,
                     const compile::Providers& providers,
                     const types::TypeTable& types) {
  json.key("arguments");
  json.begin_array();
  for (const provider::ProbeArgument& argument : arguments_of(probe, providers)) {
    json.begin_object();
    json.member("name", argument.name);
    json.member("type", type_of(argument, types));
    json.end_object();
  }
  json.end_array();
}

// What several instructions are called: functions of one name have the same offsets.
std::set<std::string> shared_names(const std::vector<const provider::Probe*>& probes) {
  std::set<std::string> known;
  std::set<std::string> shared;
  for (const provider::Probe* probe : probes) {
    if (std::holds_alternative<provider::KernelInstruction>(probe->site)) {
      std::string name = provider::full_name(*probe);
      if (!known.insert(name).second) {
        shared.insert(std::move(name));
      }
    }
  }
  return shared;
}

// Where the probe is, if its names do not tell.
std::string address_text(const provider::Probe& probe,
                         const std::set<std::string>& shared) {
  const auto* site = std::get_if<provider::KernelInstruction>(&probe.site);
  return site == nullptr || !shared.contains(provider::full_name(probe))
             ? std::string()
             : fmt::format(" at {:x}", number(site->address));
}

}  // namespace

std::string probe_table(const std::vector<const provider::Probe*>& probes,
                        const compile::Providers& providers,
                        const types::TypeTable& types, bool with_arguments) {
  constexpr std::size_t usual_line_bytes = 80;
  std::string out = fmt::format("{:>5} {:>10} {:>17} {:>33} {}\n", "ID", "PROVIDER",
                                "MODULE", "FUNCTION", "NAME");
  out.reserve(probes.size() * usual_line_bytes);
  const std::set<std::string> shared = shared_names(probes);
  for (const provider::Probe* probe : probes) {
    fmt::format_to(std::back_inserter(out), "{:>5} {:>10} {:>17} {:>33} {}{}\n",
                   probe->id, probe->provider, printable(probe->module),
                   printable(probe->function), probe->name,
                   address_text(*probe, shared));
    if (with_arguments) {
      out += argument_lines(*probe, providers, types);
    }
  }
  return out;
}

std::string probe_lines(const std::vector<const provider::Probe*>& probes,
                        const compile::Providers& providers,
                        const types::TypeTable& types, bool with_arguments) {
  std::string out;
  for (const provider::Probe* probe : probes) {
    append_json_line(out, "probe", [&](JsonWriter& json) {
      json.member("id", probe->id);
      json.member("provider", probe->provider);
      json.member("module", probe->module);
      json.member("function", probe->function);
      json.member("name", probe->name);
      if (with_arguments) {
        write_arguments(json, *probe, providers, types);
      }
    });
  }
  return out;
}

provider::ProbeList all_probes(const compile::Providers& providers,
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

}  // namespace kinst::command
