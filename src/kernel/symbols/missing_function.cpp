#include "kernel/symbols/missing_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text/glob.h"
#include "base/text/near_names.h"

namespace kinst::kernel {
namespace {

// Each name once, however many functions have it.
std::string list_of(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("{}'{}'", out.empty() ? "" : ", ", name);
  }
  return out;
}

// Variables and ends of built-in modules, whose memory is freed when the kernel has
// booted.
bool is_for_boot(const Symbols& symbols, const Symbol& symbol) {
  const auto begin = symbols.address_of("__init_begin");
  const auto end = symbols.address_of("__init_end");
  return symbol.module == kernel_module && begin && end && *begin <= symbol.address &&
         symbol.address < *end;
}

}  // namespace

std::string why_no_module(const Symbols& symbols, std::string_view module) {
  if (module.empty() || is_glob(module) || symbols.has_module(module)) {
    return {};
  }
  NearNames near(module);
  symbols.for_each({}, [&](const Symbol& symbol) { near.offer(symbol.module); });
  const std::string question = near.question();
  return fmt::format("there is no module '{}' in this kernel now{}{}", module,
                     question.empty() ? "" : "; ", question);
}

std::string why_no_function(const Symbols& symbols, std::string_view module,
                            std::string_view name) {
  if (std::string why = why_no_module(symbols, module); !why.empty()) {
    return why;
  }
  std::vector<std::string> elsewhere;
  std::vector<std::string> suffixed;
  std::optional<Symbol> variable;
  NearNames near(name);
  symbols.for_each({}, [&](const Symbol& symbol) {
    if (!symbol.is_function()) {
      if (!variable && symbol.name == name) {
        variable = symbol;
      }
    } else if (symbol.name == name) {
      elsewhere.emplace_back(symbol.module);
    } else if (symbol.name.size() > name.size() && symbol.name.starts_with(name) &&
               symbol.name[name.size()] == '.') {
      suffixed.emplace_back(symbol.name);
    } else if (!is_prefix_symbol(symbol.name)) {
      near.offer(symbol.name);
    }
  });
  const std::string what = is_glob(name)
                               ? fmt::format("no function matches '{}'", name)
                               : fmt::format("there is no function '{}'", name);
  const std::string where =
      module.empty() ? std::string(" in this kernel") : fmt::format(" in '{}'", module);
  if (!elsewhere.empty()) {
    return fmt::format("{}{}; it is in {}", what, where, list_of(std::move(elsewhere)));
  }
  if (!suffixed.empty()) {
    return fmt::format("{}{}; the compiler made {} of it", what, where,
                       list_of(std::move(suffixed)));
  }
  if (variable) {
    return is_for_boot(symbols, *variable)
               ? fmt::format("'{}' is only there while the kernel boots", name)
               : fmt::format("'{}' is a variable, not a function: D has it as `{}",
                             name, name);
  }
  const std::string question = near.question();
  return fmt::format("{}{}{}{}", what, where, question.empty() ? "" : "; ", question);
}

}  // namespace kinst::kernel
