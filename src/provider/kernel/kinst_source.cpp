// What only debug information tells: which instructions a source line became, in which
// functions a file's line has code, and where a function was inlined.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/text/glob.h"
#include "provider/kernel/kinst.h"
#include "provider/kernel/source_selection.h"

namespace kinst::provider {
namespace {

using kernel::ExaminedFunction;
using kernel::Function;

// A function's first line begins with the landing pad, which is nothing to trace.
KernelAddress behind_landing_pad(const Function& function, KernelAddress address) {
  return address == function.address
             ? address + FunctionOffset{function.landing_pad_bytes}
             : address;
}

std::vector<std::string> modules_that_match(const kernel::Symbols& symbols,
                                            std::string_view pattern) {
  std::vector<std::string> modules = symbols.modules();
  std::erase_if(modules, [&](const std::string& module) {
    return !pattern.empty() && !glob_matches(pattern, module);
  });
  return modules;
}

// The function that covers the address, by the name that the pattern means.
std::optional<kernel::Symbol> function_at(const kernel::Symbols& symbols,
                                          KernelAddress address,
                                          std::string_view pattern) {
  const auto covering = symbols.at(address);
  if (!covering) {
    return std::nullopt;
  }
  for (kernel::Symbol& one : symbols.beginning_at(covering->address)) {
    if (one.is_function() && !kernel::is_prefix_symbol(one.name) &&
        (pattern.empty() || glob_matches(pattern, one.name))) {
      return std::move(one);
    }
  }
  return std::nullopt;
}

// What several modules' debug information says of a line.
class LineSearch {
 public:
  LineSearch(const OfSourceLine& wanted, std::string_view function_pattern)
      : wanted_(&wanted), pattern_(function_pattern) {}

  void look(const kernel::DebugInformation& debug, const kernel::Symbols& symbols) {
    const kernel::FoundLine found = debug.find_line(
        [&](std::string_view path) {
          return kernel::is_end_of_path(wanted_->file, path);
        },
        wanted_->line);
    has_file_ = has_file_ || found.has_file;
    if (found.below) {
      below_ = std::max(below_.value_or(0), *found.below);
    }
    if (found.above) {
      above_ = std::min(above_.value_or(*found.above), *found.above);
    }
    has_code_ = has_code_ || !found.addresses.empty();
    for (const KernelAddress address : found.addresses) {
      if (auto function = function_at(symbols, address, pattern_)) {
        functions_.emplace(function->address, *std::move(function));
      }
    }
  }

  /// By address.
  [[nodiscard]] std::vector<kernel::Symbol> functions() const {
    std::vector<kernel::Symbol> out;
    for (const auto& [address, function] : functions_) {
      out.push_back(function);
    }
    return out;
  }

  [[nodiscard]] std::string why_none() const {
    if (!has_file_) {
      return fmt::format("no code is from a file '{}'", wanted_->file);
    }
    if (has_code_) {
      return fmt::format("no function that matches '{}' has code of line {} of {}",
                         pattern_, wanted_->line, wanted_->file);
    }
    std::vector<std::uint32_t> near;
    std::ranges::copy_if(std::vector{below_.value_or(0), above_.value_or(0)},
                         std::back_inserter(near),
                         [](std::uint32_t line) { return line != 0; });
    return fmt::format("there is no code of line {} of {}; line{} {} {} some",
                       wanted_->line, wanted_->file, near.size() == 1 ? "" : "s",
                       fmt::join(near, " and "), near.size() == 1 ? "has" : "have");
  }

 private:
  const OfSourceLine* wanted_;
  std::string_view pattern_;
  bool has_file_ = false;
  bool has_code_ = false;
  std::optional<std::uint32_t> below_;
  std::optional<std::uint32_t> above_;
  std::map<KernelAddress, kernel::Symbol> functions_;
};

void append(Match from, Match& to) {
  std::ranges::move(from.probes, std::back_inserter(to.probes));
  std::ranges::move(from.skipped, std::back_inserter(to.skipped));
}

// Those of functions of that name: where they are, they were inlined.
std::vector<std::string> modules_of(const d::Description& description,
                                    const kernel::Symbols& symbols) {
  std::vector<std::string> modules;
  for (const kernel::Symbol& one :
       symbols.functions(description.module, description.function)) {
    if (std::ranges::find(modules, one.module) == modules.end()) {
      modules.push_back(one.module);
    }
  }
  return modules;
}

}  // namespace

// The line's addresses in the function; if there are none, `why_none` says why.
Result<AtAddresses> KinstProvider::addresses_in(const Function& function,
                                                const OfSourceLine& wanted,
                                                std::string& why_none) {
  const auto* debug = KINST_TRY(kernel_.debug.get(function.module));
  const auto rows =
      debug->lines({.begin = function.address,
                    .end = function.address + FunctionOffset{function.size_bytes}});
  AtAddresses at{addresses_of_line(rows, wanted)};
  for (KernelAddress& address : at.addresses) {
    address = behind_landing_pad(function, address);
  }
  if (at.addresses.empty()) {
    why_none = fmt::format("{}: {}", function.name, why_no_line(rows, wanted));
  }
  return at;
}

// A line of a file, in whatever functions have code of it.
Result<Match> KinstProvider::match_line(const d::Description& description,
                                        const OfSourceLine& wanted,
                                        const kernel::Symbols& symbols) {
  LineSearch search(wanted, description.function);
  std::string first_failure;
  std::vector<Skipped> without;
  std::size_t searched = 0;
  for (const std::string& module : modules_that_match(symbols, description.module)) {
    const auto debug = kernel_.debug.get(module);
    if (debug) {
      search.look(**debug, symbols);
      ++searched;
    } else {
      const bool is_kernel = module == kernel::kernel_module;
      first_failure =
          first_failure.empty() || is_kernel ? debug.error().message : first_failure;
      without.push_back({.probe = "module " + module, .reason = debug.error().message});
    }
  }
  if (searched == 0) {
    Match none;
    none.why_none = first_failure.empty()
                        ? fmt::format("there is no module '{}'", description.module)
                        : first_failure;
    return none;
  }
  const std::vector<kernel::Symbol> functions = search.functions();
  Match found;
  if (functions.empty()) {
    found.why_none = search.why_none();
    if (!without.empty()) {
      found.why_none +=
          fmt::format(" (of {} there is no debug information)",
                      without.size() == 1 ? without.front().probe
                                          : fmt::format("{} modules", without.size()));
    }
  } else {
    found = KINST_TRY(match_functions(description, functions, wanted));
  }
  std::ranges::move(without, std::back_inserter(found.skipped));
  return found;
}

// The copies that one module's code has.
Result<Match> KinstProvider::match_copies(const d::Description& description,
                                          const Selector& selector,
                                          std::string_view module,
                                          const kernel::Symbols& symbols) {
  Match out;
  const auto* debug = KINST_TRY(kernel_.debug.get(module));
  for (const kernel::InlinedCopy& copy : debug->inlined_copies(description.function)) {
    const auto within = symbols.at(copy.entry);
    if (!within || !within->is_function()) {
      continue;
    }
    ExaminedFunction examined = KINST_TRY(kernel_.functions.read(symbols, *within));
    name_by_first_use(examined.function);
    const kernel::ProbeRules& rules = kernel_.functions.rules();
    const AtAddresses at{std::holds_alternative<FunctionReturn>(selector)
                             ? exits_of_copy(copy, examined.function)
                             : entry_of_copy(copy, examined, rules, *isa_)};
    append(KINST_TRY(select(std::span(&examined, 1), at, symbols, rules, *isa_)), out);
  }
  return out;
}

// Of a function without a symbol there may be copies in any module.
Result<Match> KinstProvider::match_inlined(const d::Description& description,
                                           const Selector& selector,
                                           const kernel::Symbols& symbols) {
  Match out;
  std::vector<std::string> modules = modules_of(description, symbols);
  const bool has_symbol = !modules.empty();
  if (!has_symbol) {
    // The name may be a mistake, which is not worth looking for every module's file.
    const bool is_sure = std::holds_alternative<FunctionInlined>(selector) ||
                         !description.module.empty() ||
                         kernel_.debug.get(kernel::kernel_module);
    modules = is_sure ? modules_that_match(symbols, description.module)
                      : std::vector<std::string>{};
  }
  std::string failure;
  for (const std::string& module : modules) {
    if (const auto debug = kernel_.debug.get(module); debug) {
      append(KINST_TRY(match_copies(description, selector, module, symbols)), out);
    } else if (failure.empty() || module == kernel::kernel_module) {
      failure = debug.error().message;
    }
  }
  if (out.probes.empty() && std::holds_alternative<FunctionInlined>(selector)) {
    out.why_none =
        failure.empty()
            ? fmt::format("no code has a copy of a function '{}'", description.function)
            : failure;
  }
  return out;
}

}  // namespace kinst::provider
