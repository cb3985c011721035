#include "compile/match/reworded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text/glob.h"
#include "d/syntax/descriptions.h"

namespace kinst::compile {
namespace {

// The fields behind the provider, in the places that its probes have them.
std::string in_place(std::string_view provider, std::string_view first,
                     std::string_view last) {
  if (provider == "dtrace" || provider == "profile" || provider == "rawtp") {
    return fmt::format("{}:::{}", provider, last);
  }
  if (provider == "sdt") {
    return fmt::format("sdt:{}::{}", first, last);
  }
  return first.empty() ? fmt::format("{}::{}:", provider, last)
                       : fmt::format("{}::{}:{}", provider, first, last);
}

bool is_offset(std::string_view name) {
  const std::string_view digits = name.starts_with("0x") ? name.substr(2) : name;
  return !digits.empty() &&
         digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos &&
         name.find_first_of("0123456789") == 0;
}

}  // namespace

std::string hint_for_provider_first(const d::Description& description,
                                    const Providers& providers) {
  const auto is_provider = [&](std::string_view name) {
    return std::ranges::any_of(providers, [&](const auto& provider) {
      return !name.empty() && !is_glob(name) && provider->is_meant_by(name);
    });
  };
  std::string provider;
  std::string first;
  if (description.fields_given == 3 && is_provider(description.module)) {
    provider = description.module;
    first = description.function;
  } else if (description.fields_given == 2 && is_provider(description.function)) {
    provider = description.function;
  } else {
    return {};
  }
  if (provider::means_process(provider)) {
    return fmt::format(
        "'{}' is a provider, but fields are counted from the right; behind the "
        "function "
        "belongs :entry or :return",
        provider);
  }
  return fmt::format(
      "'{}' is a provider, but fields are counted from the right; did you mean '{}'?",
      provider, in_place(provider, first, description.name));
}

std::string hint_for_no_provider(
    const d::Description& description,
    const std::function<bool(const d::Description&)>& matches) {
  if (!description.provider.empty() || !description.module.empty() ||
      description.name.empty() || is_glob(description.name)) {
    return {};
  }
  const auto question = [](std::string_view meant) {
    return fmt::format("did you mean '{}'?", meant);
  };
  const auto with = [&](std::string_view provider, std::string_view module,
                        std::string_view function, std::string_view name) {
    d::Description meant = description;
    meant.provider = provider;
    meant.module = module;
    meant.function = function;
    meant.name = name;
    return meant;
  };
  const std::string& name = description.name;
  if (!description.function.empty()) {
    if (is_offset(name)) {
      return fmt::format(
          "an instruction is a probe of the provider kinst: kinst::{}:{}",
          description.function, name);
    }
    return matches(with("sdt", description.function, "", name))
               ? question(fmt::format("sdt:{}::{}", description.function, name))
               : std::string();
  }
  constexpr std::array<std::string_view, 2> providers = {"syscall", "fbt"};
  for (const std::string_view provider : providers) {
    if (matches(with(provider, "", name, "entry"))) {
      return question(fmt::format("{}::{}:entry", provider, name));
    }
  }
  return {};
}

}  // namespace kinst::compile
