#include "run/module_follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/system/worker_thread.h"
#include "base/text/glob.h"
#include "compile/instruction_text.h"
#include "compile/match/providers.h"
#include "compile/match/system.h"
#include "d/syntax/descriptions.h"
#include "kernel/symbols/missing_function.h"
#include "run/module_loads.h"

namespace kinst::run {
namespace {

using provider::ComingFunction;
using provider::ComingPlace;

const ComingFunction* coming_site(const provider::Probe& probe) {
  return std::get_if<ComingFunction>(&probe.site);
}

// The kind of placeholder that stood for this probe while it was awaited.
ComingPlace coming_place_of(const provider::Probe& probe) {
  const auto* function = std::get_if<provider::KernelFunction>(&probe.site);
  if (function == nullptr) {
    return ComingPlace::Instruction;
  }
  return function->edge == provider::Edge::Entry ? ComingPlace::Entry
                                                 : ComingPlace::Return;
}

// A description, and the placeholders of its awaited probes.
struct Pattern {
  d::Description names;
  std::map<std::size_t, ComingPlace> places;
};

// Identifies a probe when its module is loaded again.
using LoadedIdentity =
    std::tuple<std::string, std::string, std::string, std::string, std::string>;

LoadedIdentity loaded_identity_of(const LaterProbe& one) {
  return {one.probe.provider, one.probe.module, one.probe.function, one.probe.name,
          one.instruction};
}

}  // namespace

struct ModuleFollower::Work {
  Enabling* enabling;
  const compile::Matches* matches;
  std::size_t most_probes;
  Listener listener;
  ModuleLoads loads;
  std::vector<Pattern> patterns;
  std::map<std::string, std::uint64_t> seen;
  std::map<LoadedIdentity, provider::Probe> known;
  WorkerThread thread;  ///< uses all of the above

  [[nodiscard]] ProgressReport progress() const {
    return [this](std::size_t, std::size_t) {
      return thread.is_ending() ? Progress::Stop : Progress::Continue;
    };
  }

  // Adds the probes that one description matches in the module.
  void find(const Pattern& pattern, const std::string& module,
            compile::KernelCode& code, const compile::Providers& providers,
            std::map<std::pair<std::string, std::uint64_t>, LaterProbe>& found) const {
    d::Description names = pattern.names;
    names.module = module;
    for (const auto& provider : providers) {
      if (!provider->is_meant_by(names.provider)) {
        continue;
      }
      auto match = provider->match(names);
      if (!match) {
        tell_failure(names, match.error().message);
        continue;
      }
      if (match->probes.empty() && !match->why_none.empty() &&
          !is_glob(pattern.names.module)) {
        tell_failure(names, match->why_none);
      }
      for (provider::Probe& probe : match->probes) {
        LaterProbe& later = found[{probe.provider, probe.key}];
        for (const auto& [index, place] : pattern.places) {
          if (place == coming_place_of(probe) &&
              matches->probes.all()[index].provider == probe.provider) {
            later.awaited.insert(index);
          }
        }
        later.place = probe.key;
        later.instruction = compile::instruction_text(
            probe, record::Meaning::Instruction, code.isa, code.symbols);
        later.mnemonic = compile::instruction_text(probe, record::Meaning::Mnemonic,
                                                   code.isa, code.symbols);
        later.probe = std::move(probe);
      }
    }
  }

  void tell_failure(const d::Description& names, const std::string& reason) const {
    if (!thread.is_ending()) {
      listener.failure(fmt::format("the module {} has come, but not {}: {}",
                                   names.module, d::to_text(names), reason));
    }
  }

  // Reports awaited functions that are known by name and that this module does not
  // have; returns how many it has.
  std::size_t check_named(const std::string& module, compile::KernelCode& code) const {
    std::size_t placed = 0;
    const auto& symbols = code.symbols.get();
    for (const provider::Probe& probe : matches->probes.all()) {
      const ComingFunction* site = coming_site(probe);
      if (site == nullptr || site->is_awaited || probe.module != module || !symbols) {
        continue;
      }
      const auto functions = symbols->functions(module, probe.function);
      std::string reason;
      if (functions.empty()) {
        reason = kernel::why_no_function(*symbols, module, probe.function);
      } else if (const auto examined = code.functions.read(*symbols, functions.front());
                 examined && examined->refused) {
        reason = examined->refused->reason;
      }
      if (reason.empty()) {
        ++placed;
      } else {
        tell_failure({.provider = probe.provider,
                      .module = module,
                      .function = probe.function,
                      .name = probe.name},
                     reason);
      }
    }
    return placed;
  }

  std::size_t attach(std::map<std::pair<std::string, std::uint64_t>, LaterProbe>& found,
                     const std::string& module) {
    std::vector<LaterProbe> probes;
    for (auto& [key, later] : found) {
      if (const auto before = known.find(loaded_identity_of(later));
          before != known.end()) {
        later.probe.id = before->second.id;
        later.probe.key = before->second.key;
      } else {
        later.probe.key = 0;
      }
      probes.push_back(std::move(later));
    }
    const auto refused = enabling->attach_later(probes, listener.probe, progress());
    for (const LaterProbe& one : probes) {
      known.emplace(loaded_identity_of(one), one.probe);
    }
    if (!refused && !thread.is_ending()) {
      listener.failure(
          fmt::format("the module {} has come with probes that cannot be attached: {}",
                      module, refused.error().message));
    }
    return refused ? probes.size() - refused->size() : 0;
  }

  // Handles a module that was loaded. Its symbols, code and types are read anew.
  void look(const std::string& module) {
    const bool is_named =
        std::ranges::any_of(matches->probes.all(), [&](const provider::Probe& probe) {
          return provider::comes_with_module(probe) && probe.module == module;
        });
    std::vector<const Pattern*> meant;
    for (const Pattern& pattern : patterns) {
      if (glob_matches(pattern.names.module, module)) {
        meant.push_back(&pattern);
      }
    }
    if (!is_named && meant.empty()) {
      return;
    }
    const auto code = std::make_shared<compile::KernelCode>();
    compile::System system(*code);
    const compile::Providers providers = compile::make_providers(
        system, provider::Purpose::Tracing, most_probes, progress());
    std::map<std::pair<std::string, std::uint64_t>, LaterProbe> found;
    for (const Pattern* pattern : meant) {
      find(*pattern, module, *code, providers, found);
    }
    std::size_t probes = found.empty() ? 0 : attach(found, module);
    probes += check_named(module, *code);
    listener.symbols(std::shared_ptr<kernel::LazySymbols>(code, &code->symbols));
    if (probes != 0) {
      listener.gain(fmt::format("the module {} has come: {} probe{}", module, probes,
                                probes == 1 ? "" : "s"));
    }
  }

  void look_at_all() {
    const auto now = loaded_modules();
    for (const auto& [module, loading] : now) {
      const auto before = seen.find(module);
      if (!thread.is_ending() && (before == seen.end() || before->second != loading)) {
        look(module);
      }
    }
    seen = now;
  }

  void run() {
    look_at_all();
    while (thread.wait_for(loads.descriptor())) {
      loads.take();
      look_at_all();
    }
  }
};

ModuleFollower::ModuleFollower(std::unique_ptr<Work> work) : work_(std::move(work)) {}

ModuleFollower::ModuleFollower(ModuleFollower&&) noexcept = default;

Result<ModuleFollower> ModuleFollower::make(Enabling& enabling,
                                            const compile::Matches& matches,
                                            std::size_t most_probes,
                                            Listener listener) {
  ModuleLoads loads = KINST_TRY(ModuleLoads::start());
  std::vector<Pattern> patterns;
  for (const compile::Awaited& one : matches.awaited) {
    Pattern pattern{.names = one.names, .places = {}};
    for (const std::size_t index : one.probes) {
      if (const ComingFunction* site = coming_site(matches.probes.all()[index])) {
        pattern.places.emplace(index, site->place);
      }
    }
    if (!pattern.places.empty()) {
      patterns.push_back(std::move(pattern));
    }
  }
  // Patterns have been matched against the modules that are loaded now, and found
  // nothing in them. A module that is named may have been loaded since.
  std::map<std::string, std::uint64_t> seen = loaded_modules();
  for (const provider::Probe& probe : matches.probes.all()) {
    if (provider::comes_with_module(probe)) {
      seen.erase(probe.module);
    }
  }
  return ModuleFollower(std::unique_ptr<Work>(new Work{.enabling = &enabling,
                                                       .matches = &matches,
                                                       .most_probes = most_probes,
                                                       .listener = std::move(listener),
                                                       .loads = std::move(loads),
                                                       .patterns = std::move(patterns),
                                                       .seen = std::move(seen),
                                                       .known = {},
                                                       .thread = {}}));
}

ModuleFollower::~ModuleFollower() = default;

void ModuleFollower::begin() {
  const auto started =
      work_->thread.start("follow modules", [work = work_.get()] { work->run(); });
  if (!started) {
    work_->listener.failure(started.error().message);
  }
}

}  // namespace kinst::run
