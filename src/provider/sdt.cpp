// Both providers name their probes alike: the subsystem is the module, and there is no
// function.
#include "provider/sdt.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/text/glob.h"
#include "base/text/near_names.h"

namespace kinst::provider {
namespace {

// Groups of probes that were made at run time, by this program too.
bool is_static(const kernel::TracepointName& tracepoint) {
  const std::string_view system = tracepoint.system;
  return system != "syscalls" && system != "kprobes" && system != "uprobes" &&
         !system.starts_with("kinst_") && !system.starts_with("dt_");
}

// Names of other providers' probes that no tracepoint has, tracepoints being C
// functions: "tick-1s", "9"; and those of DTrace itself. They are not worth reading the
// kernel's list for.
bool is_no_tracepoint(const std::string& name) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return name == "BEGIN" || name == "END" || name == "ERROR" ||
         (!is_glob(name) && name.find_first_not_of(letters) != std::string::npos);
}

// A tracepoint that there is, under another subsystem or beside a function's name.
std::string why_not_there(const d::Description& description, std::string_view provider,
                          std::string_view system) {
  if (!description.function.empty()) {
    return fmt::format("a tracepoint has no function: {}:{}::{}", provider, system,
                       description.name);
  }
  return fmt::format("there is no tracepoint '{}' in '{}'; it is in '{}'",
                     description.name, description.module, system);
}

// A subsystem that there is not, or a tracepoint of no near name.
std::string why_none_near(const d::Description& description,
                          std::span<const kernel::TracepointName> tracepoints) {
  if (description.provider.empty()) {
    return {};
  }
  const std::string& system = description.module;
  const bool is_known = std::ranges::any_of(tracepoints, [&](const auto& one) {
    return system.empty() || glob_matches(system, one.system);
  });
  if (is_known) {
    return is_glob(description.name)
               ? fmt::format("no tracepoint matches '{}'", description.name)
               : fmt::format("there is no tracepoint '{}'", description.name);
  }
  NearNames near(system);
  for (const kernel::TracepointName& one : tracepoints) {
    near.offer(one.system);
  }
  const std::string question = near.question();
  return fmt::format("no tracepoints are in '{}'{}{}", system,
                     question.empty() ? "" : "; ", question);
}

// make_site(name): the site, or why there is none.
template <typename MakeSite>
Result<Match> match_tracepoints(const d::Description& description,
                                std::string_view provider,
                                StaticTracepoints& tracepoints,
                                const MakeSite& make_site) {
  if (description.provider.empty() && is_no_tracepoint(description.name)) {
    return Match{};
  }
  const auto& names = tracepoints.get();
  if (!names) {
    return tl::unexpected(names.error());
  }
  Match found;
  NearNames near(description.name);
  std::string elsewhere;
  for (const kernel::TracepointName& one : *names) {
    Probe probe{.id = 0,
                .provider = std::string(provider),
                .module = one.system,
                .function = {},
                .name = one.name,
                .site = {},
                .key = 0};
    near.offer(one.name);
    if (one.name == description.name) {
      elsewhere = one.system;
    }
    if (covers(description, probe)) {
      probe.site = KINST_TRY(make_site(one));
      found.probes.push_back(std::move(probe));
    }
  }
  if (found.probes.empty()) {
    found.why_none = elsewhere.empty()
                         ? near.question()
                         : why_not_there(description, provider, elsewhere);
    if (found.why_none.empty()) {
      found.why_none = why_none_near(description, *names);
    }
  }
  return found;
}

// The function type behind the typedef that the kernel has for each tracepoint's
// callbacks; its first parameter is the callback's own. Null where there is none.
const types::Function* callback_type(std::string_view tracepoint,
                                     types::KernelTypes& types,
                                     const types::TypeTable& table) {
  const auto found =
      types.find(types::NameKind::Typedef, fmt::format("btf_trace_{}", tracepoint));
  if (!found || !*found) {
    return nullptr;
  }
  const auto* pointer = std::get_if<types::Pointer>(&table.resolved(**found));
  return pointer == nullptr
             ? nullptr
             : std::get_if<types::Function>(&table.resolved(pointer->target));
}

}  // namespace

const Result<std::vector<kernel::TracepointName>>& StaticTracepoints::get() {
  if (!names_) {
    names_ = kernel::list_tracepoints();
    if (*names_) {
      std::erase_if(**names_,
                    [](const kernel::TracepointName& one) { return !is_static(one); });
    }
  }
  return *names_;
}

Result<Match> SdtProvider::match(const d::Description& description) {
  return match_tracepoints(description, name(), *tracepoints_,
                           [&](const kernel::TracepointName& one) -> Result<Site> {
                             Tracepoint site{.tracepoint = one, .format = {}};
                             if (purpose_ == Purpose::Tracing) {
                               site.format =
                                   KINST_TRY(kernel::read_tracepoint_format(one));
                             }
                             return site;
                           });
}

std::vector<ProbeArgument> SdtProvider::arguments(const Probe& probe) const {
  const auto& site = std::get<Tracepoint>(probe.site);
  const auto format = kernel::read_tracepoint_format(site.tracepoint);
  std::vector<ProbeArgument> arguments;
  if (!format) {
    return arguments;
  }
  for (const kernel::TracepointField& field : format->fields) {
    arguments.push_back({.name = field.name, .type = {}, .spelling = field.type});
  }
  return arguments;
}

Result<Match> RawTracepointProvider::match(const d::Description& description) {
  return match_tracepoints(
      description, name(), *tracepoints_,
      [&](const kernel::TracepointName& one) -> Result<Site> {
        // Without type information: as many as a program may have.
        RawTracepoint site{.tracepoint = one.name, .arguments = 12};
        const types::Function* type = purpose_ == Purpose::Tracing
                                          ? callback_type(one.name, *types_, *table_)
                                          : nullptr;
        if (type != nullptr && !type->parameters.empty()) {
          site.arguments = static_cast<std::uint32_t>(type->parameters.size() - 1);
        }
        return site;
      });
}

std::vector<ProbeArgument> RawTracepointProvider::arguments(const Probe& probe) const {
  const auto& site = std::get<RawTracepoint>(probe.site);
  const types::Function* type = callback_type(site.tracepoint, *types_, *table_);
  std::vector<ProbeArgument> arguments;
  for (std::size_t index = 1; type != nullptr && index < type->parameters.size();
       ++index) {
    arguments.push_back({.name = {}, .type = type->parameters[index]});
  }
  return arguments;
}

}  // namespace kinst::provider
