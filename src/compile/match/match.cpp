// Every description goes to each provider that it can mean.
#include "compile/match/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "compile/match/other_tracers.h"
#include "compile/match/reworded.h"
#include "d/syntax/descriptions.h"
#include "kernel/symbols/module_name.h"
#include "provider/dtrace.h"

namespace kinst::compile {
namespace {

// With the kernel's module named as it is here.
d::Description in_own_words(const d::Description& written) {
  d::Description description = written;
  if (!provider::means_process(written.provider)) {
    description.module = std::string(kernel::own_module_name(written.module));
  }
  return description;
}

// What all providers say to one description.
struct Answer {
  std::vector<provider::Probe> probes;
  std::vector<provider::Skipped> skipped;
  std::vector<std::string> notes;
  std::vector<std::string> reasons;  ///< why there are none
  std::string tag;                   ///< of the first reason, if it is DTrace's own
  bool provider_exists = false;
};

Answer ask(const d::Description& description, const Providers& providers) {
  Answer answer;
  for (const auto& provider : providers) {
    if (!provider->is_meant_by(description.provider)) {
      continue;
    }
    answer.provider_exists = true;
    auto match = provider->match(description);
    if (!match) {
      answer.reasons.push_back(std::move(match.error().message));
      continue;
    }
    if (answer.probes.empty()) {
      answer.probes = std::move(match->probes);
    } else {
      std::ranges::move(match->probes, std::back_inserter(answer.probes));
    }
    std::ranges::move(match->skipped, std::back_inserter(answer.skipped));
    std::ranges::move(match->notes, std::back_inserter(answer.notes));
    if (answer.tag.empty()) {
      answer.tag = std::move(match->tag);
    }
    if (!match->why_none.empty()) {
      answer.reasons.push_back(std::move(match->why_none));
    }
  }
  return answer;
}

// The names of dtrace's own probes in other letters: "begin".
std::string near_own_probe(const d::Description& description) {
  const std::string& name =
      description.name.empty() ? description.provider : description.name;
  const bool is_alone = description.module.empty() && description.function.empty() &&
                        (description.name.empty() || description.provider.empty());
  if (!is_alone) {
    return {};
  }
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return std::toupper(c); });
  NearNames near(upper);
  for (const provider::Probe& probe : provider::DtraceProvider::probes()) {
    near.offer(probe.name);
  }
  return near.question();
}

std::string no_such_provider(const d::Description& description,
                             const Providers& providers) {
  NearNames near(description.provider);
  for (const auto& provider : providers) {
    near.offer(provider->name());
  }
  std::string cure =
      near.names().empty() ? near_own_probe(description) : near.question();
  if (cure.empty()) {
    cure = "there are";
    for (const auto& provider : providers) {
      const char* separator = &provider == &providers.front()  ? " "
                              : &provider == &providers.back() ? " and "
                                                               : ", ";
      cure += fmt::format("{}{}", separator, provider->name());
    }
  }
  return fmt::format("there is no provider '{}'; {}", description.provider, cure);
}

// What would work, from the surest guess to the vaguest.
std::string hint_for_unmatched(const d::Description& description, const Answer& answer,
                               const Providers& providers) {
  if (auto foreign = meant_by_others(description)) {
    return *std::move(foreign);
  }
  if (std::string meant = hint_for_provider_first(description, providers);
      !meant.empty()) {
    return meant;
  }
  if (std::string meant =
          hint_for_no_provider(description,
                               [&](const d::Description& one) {
                                 return !ask(one, providers).probes.empty();
                               });
      !meant.empty()) {
    return meant;
  }
  if (!answer.reasons.empty()) {
    return answer.reasons.front();
  }
  return answer.provider_exists ? near_own_probe(description)
                                : no_such_provider(description, providers);
}

void tell_unmatched(const d::Description& description, const Answer& answer,
                    const Providers& providers, Diagnostics& diagnostics) {
  Diagnostic& diagnostic = diagnostics.error(
      answer.tag.empty() ? "D_PDESC_ZERO" : answer.tag, description.span,
      fmt::format("probe description {} does not match any probes",
                  d::to_text(description)));
  diagnostic.hint = hint_for_unmatched(description, answer, providers);
}

// What is wrong with the kernel or the machine is wrong for every description: a reason
// that was told is not told again.
bool is_told(const Answer& answer, const Diagnostics& diagnostics) {
  return !answer.reasons.empty() &&
         std::ranges::find(diagnostics.all(), answer.reasons.front(),
                           &Diagnostic::hint) != diagnostics.all().end();
}

class Matcher {
 public:
  Matcher(const Providers& providers, Unmatched unmatched, Diagnostics& diagnostics)
      : providers_(&providers), unmatched_(unmatched), diagnostics_(&diagnostics) {
    for (provider::Probe& probe : provider::DtraceProvider::probes()) {
      result_.probes.add(std::move(probe));
    }
  }

  void add(const d::ProbeSpecifier& specifier) {
    result_.descriptions.push_back(&specifier);
    result_.of_description.emplace_back();
    std::visit(Overloaded{[&](const d::Description& one) { add(one); },
                          [&](const d::ProbeId& one) { add(one); }},
               specifier);
    auto& indexes = result_.of_description.back();
    std::ranges::sort(indexes);
    indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
  }

  Matches finish() && {
    for (auto& [awaited, probes] : awaited_) {
      for (provider::Probe& probe : probes) {
        awaited.probes.push_back(result_.probes.add(std::move(probe)));
      }
      result_.awaited.push_back(std::move(awaited));
    }
    return std::move(result_);
  }

 private:
  void add(const d::Description& written) {
    const d::Description description = in_own_words(written);
    const auto known = known_.find(d::to_text(description));
    if (known != known_.end()) {
      result_.of_description.back() = known->second;
      await(description, known->second.empty());
      return;
    }
    Answer answer = ask(description, *providers_);
    if (answer.probes.empty() && unmatched_ == Unmatched::IsAllowed) {
      add_coming(description, answer);
    }
    if (answer.probes.empty() && unmatched_ == Unmatched::IsError &&
        !is_told(answer, *diagnostics_)) {
      tell_unmatched(description, answer, *providers_, *diagnostics_);
    }
    await(description, answer.probes.empty());
    result_.probes.reserve(result_.probes.all().size() + answer.probes.size());
    for (provider::Probe& probe : answer.probes) {
      result_.of_description.back().push_back(result_.probes.add(std::move(probe)));
    }
    std::ranges::move(answer.skipped, std::back_inserter(result_.skipped));
    std::ranges::move(answer.notes, std::back_inserter(result_.notes));
    if (!result_.of_description.back().empty()) {
      known_.emplace(d::to_text(description), result_.of_description.back());
    }
  }

  // What is in a module that is not loaded; of what cannot be waited for, why.
  void add_coming(const d::Description& description, Answer& answer) {
    for (const auto& provider : *providers_) {
      if (!provider->is_meant_by(description.provider)) {
        continue;
      }
      provider::Match match = provider->coming(description);
      std::vector<provider::Probe> awaited;
      for (provider::Probe& probe : match.probes) {
        (provider::is_awaited(probe) ? awaited : answer.probes)
            .push_back(std::move(probe));
      }
      if (!awaited.empty()) {
        awaited_.emplace_back(Awaited{.description = result_.of_description.size() - 1,
                                      .names = description,
                                      .probes = {}},
                              std::move(awaited));
      }
      if (!match.why_none.empty()) {
        answer.notes.push_back(fmt::format("{} is not waited for: {}",
                                           d::to_text(description), match.why_none));
      }
    }
  }

  // More may come of what is not there, if that is allowed, and of all modules.
  void await(const d::Description& description, bool is_unmatched) {
    const bool is_open = description.module.empty() || is_glob(description.module);
    if (!is_open && !(is_unmatched && unmatched_ == Unmatched::IsAllowed)) {
      return;
    }
    for (const auto& provider : *providers_) {
      if (!provider->is_meant_by(description.provider)) {
        continue;
      }
      if (auto probes = provider->awaited(description); !probes.empty()) {
        awaited_.emplace_back(Awaited{.description = result_.of_description.size() - 1,
                                      .names = description,
                                      .probes = {}},
                              std::move(probes));
      }
    }
  }

  // Numbers are given in the order of matching, so only dtrace's are known beforehand.
  void add(const d::ProbeId& wanted) {
    const auto& probes = result_.probes.all();
    if (wanted.id >= 1 && wanted.id <= probes.size()) {
      result_.of_description.back().push_back(wanted.id - 1);
      return;
    }
    diagnostics_
        ->error("D_PDESC_ZERO", wanted.span,
                fmt::format("probe identifier {} does not exist", wanted.id))
        .hint = other_instruction(wanted.id);
  }

  // "kinst::vfs_read:4,9" is a description and an identifier. What is meant instead;
  // empty behind anything else.
  [[nodiscard]] std::string other_instruction(std::uint32_t number) const {
    constexpr const char* known =
        "only BEGIN, END and ERROR, which are 1 to 3, are known by number beforehand";
    const std::size_t before = result_.descriptions.size() - 1;
    const auto* description =
        before == 0 ? nullptr
                    : std::get_if<d::Description>(result_.descriptions[before - 1]);
    if (description == nullptr || description->provider != "kinst") {
      return known;
    }
    return fmt::format("another instruction is another description: kinst:{}:{}:{}",
                       description->module, description->function, number);
  }

  const Providers* providers_;
  Unmatched unmatched_;
  Diagnostics* diagnostics_;
  Matches result_;
  std::vector<std::pair<Awaited, std::vector<provider::Probe>>> awaited_;
  /// What descriptions meant that were there before.
  std::unordered_map<std::string, std::vector<std::size_t>> known_;
};

}  // namespace

Matches match(std::span<const d::Program* const> programs, const Providers& providers,
              Unmatched unmatched, Diagnostics& diagnostics) {
  Matcher matcher(providers, unmatched, diagnostics);
  for (const d::Program* program : programs) {
    for (const d::Item& item : program->items) {
      if (const auto* clause = std::get_if<d::Clause>(&item)) {
        std::ranges::for_each(clause->probes,
                              [&](const auto& specifier) { matcher.add(specifier); });
      }
    }
  }
  return std::move(matcher).finish();
}

}  // namespace kinst::compile
