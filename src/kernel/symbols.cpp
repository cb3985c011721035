// /proc/kallsyms as symbols in address order, and searches in them. Lines are
//   ffffffff81000000 T _stext
//   ffffffffc0201000 t ext4_read    [ext4]
// with 200,000 of them on a common kernel, so they are parsed by hand and searched
// without an index: a run asks for a few names only.
#include "kernel/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/glob.h"
#include "base/near_names.h"
#include "base/read_file.h"

namespace kinst::kernel {
namespace {

// The value of the hexadecimal digits at the beginning of `line`, and their number.
struct Hexadecimal {
  std::uint64_t value = 0;
  std::size_t digits = 0;
};

Hexadecimal parse_hexadecimal(std::string_view line) {
  Hexadecimal out;
  for (const char one : line) {
    unsigned digit = 0;
    if (one >= '0' && one <= '9') {
      digit = static_cast<unsigned>(one - '0');
    } else if (one >= 'a' && one <= 'f') {
      digit = static_cast<unsigned>(one - 'a') + 10;
    } else {
      break;
    }
    out.value = out.value << 4U | digit;
    ++out.digits;
  }
  return out;
}

std::optional<Symbol> parse_line(std::string_view line) {
  const Hexadecimal address = parse_hexadecimal(line);
  // "0123456789abcdef T n" at least.
  if (address.digits == 0 || line.size() < address.digits + 4) {
    return std::nullopt;
  }
  Symbol out{.address = KernelAddress{address.value},
             .module = kernel_module,
             .type = line[address.digits + 1]};
  out.name = line.substr(address.digits + 3);
  if (const std::size_t tab = out.name.find('\t'); tab != std::string_view::npos) {
    out.module = out.name.substr(tab + 1);
    out.name = out.name.substr(0, tab);
    if (out.module.size() < 3 || out.module.front() != '[') {
      return std::nullopt;
    }
    out.module = out.module.substr(1, out.module.size() - 2);
  }
  return out;
}

// The image's symbols come in order already, and those of modules behind them do not.
void sort_by_address(std::vector<Symbol>& symbols) {
  const auto unsorted = std::ranges::is_sorted_until(symbols, {}, &Symbol::address);
  std::ranges::stable_sort(unsorted, symbols.end(), {}, &Symbol::address);
  std::ranges::inplace_merge(symbols, unsorted, {}, &Symbol::address);
}

// Sizes reach to the next higher address. Between the last symbol of a module and the
// next module's first there can be a hole of any size, which belongs to neither.
void set_sizes(std::vector<Symbol>& symbols) {
  constexpr std::uint64_t most_without_an_end = 0x10000;
  for (std::size_t i = symbols.size(); i-- > 0;) {
    Symbol& one = symbols[i];
    if (i + 1 == symbols.size()) {
      one.size_bytes = most_without_an_end;
      one.end_is_known = false;
      continue;
    }
    const Symbol& next = symbols[i + 1];
    if (next.address == one.address) {
      one.size_bytes = next.size_bytes;
      one.end_is_known = next.end_is_known;
      continue;
    }
    one.size_bytes = number(next.address - one.address);
    // Behind the text of a module come its data, on other pages.
    const bool is_last_text =
        one.module != kernel_module && one.is_function() && !next.is_function();
    one.end_is_known = next.module == one.module && !is_last_text;
    if (!one.end_is_known) {
      one.size_bytes = std::min(one.size_bytes, most_without_an_end);
    }
  }
}

// Absolute symbols: offsets into the per-CPU area, constants.
bool is_absolute(const Symbol& symbol) {
  return symbol.type == 'a' || symbol.type == 'A';
}

bool is_prefix_symbol(std::string_view name) {
  return name.starts_with("__pfx_") || name.starts_with("__cfi_");
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("{}'{}'", out.empty() ? "" : ", ", name);
  }
  return out;
}

}  // namespace

Result<Symbols> Symbols::parse(std::string kallsyms) {
  Symbols out;
  out.text_ = std::make_unique<const std::string>(std::move(kallsyms));
  std::string_view rest = *out.text_;
  out.symbols_.reserve(rest.size() / 40);
  bool any_address = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::optional<Symbol> symbol = parse_line(rest.substr(0, end));
    if (!symbol) {
      return error("cannot understand /proc/kallsyms: its line '{}' is no symbol",
                   rest.substr(0, end));
    }
    any_address = any_address || number(symbol->address) != 0;
    out.symbols_.push_back(*symbol);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (out.symbols_.empty()) {
    return error("cannot find kernel symbols: /proc/kallsyms is empty");
  }
  if (!any_address) {
    return error(
        "cannot find kernel symbols: /proc/kallsyms hides all addresses; run as root, "
        "and with kernel.kptr_restrict set to 0 or 1 (sysctl -w "
        "kernel.kptr_restrict=1)");
  }
  sort_by_address(out.symbols_);
  set_sizes(out.symbols_);
  return out;
}

Result<Symbols> Symbols::read() {
  return parse(KINST_TRY(read_file("/proc/kallsyms")));
}

std::vector<const Symbol*> Symbols::functions(std::string_view module_pattern,
                                              std::string_view pattern) const {
  const auto matches = [](std::string_view what, bool glob, std::string_view name) {
    return what.empty() || (glob ? glob_matches(what, name) : what == name);
  };
  const bool name_glob = is_glob(pattern);
  const bool module_glob = is_glob(module_pattern);
  std::vector<const Symbol*> out;
  for (const Symbol& symbol : symbols_) {
    if (symbol.is_function() && matches(pattern, name_glob, symbol.name) &&
        matches(module_pattern, module_glob, symbol.module) &&
        !is_prefix_symbol(symbol.name)) {
      out.push_back(&symbol);
    }
  }
  return out;
}

std::optional<KernelAddress> Symbols::address_of(std::string_view name) const {
  for (const Symbol& symbol : symbols_) {
    if (symbol.name == name && symbol.module == kernel_module) {
      return symbol.address;
    }
  }
  return std::nullopt;
}

const Symbol* Symbols::find(std::string_view module, std::string_view name) const {
  const Symbol* in_a_module = nullptr;
  for (const Symbol& symbol : symbols_) {
    if (symbol.name != name) {
      continue;
    }
    if (module.empty() ? symbol.module == kernel_module : symbol.module == module) {
      return &symbol;
    }
    if (module.empty() && in_a_module == nullptr) {
      in_a_module = &symbol;
    }
  }
  return in_a_module;
}

const Symbol* Symbols::at(KernelAddress address) const {
  auto above = std::ranges::upper_bound(symbols_, address, {}, &Symbol::address);
  if (above == symbols_.begin()) {
    return nullptr;
  }
  const KernelAddress begin = std::prev(above)->address;
  const auto first = std::ranges::lower_bound(symbols_, begin, {}, &Symbol::address);
  return number(address - begin) < first->size_bytes && !is_absolute(*first) ? &*first
                                                                             : nullptr;
}

std::span<const Symbol> Symbols::beginning_at(KernelAddress address) const {
  const auto range = std::ranges::equal_range(symbols_, address, {}, &Symbol::address);
  return {range.begin(), range.end()};
}

bool Symbols::has_module(std::string_view module) const {
  return std::ranges::find(symbols_, module, &Symbol::module) != symbols_.end();
}

std::string symbol_text(const Symbols& symbols, KernelAddress address) {
  const Symbol* symbol = symbols.at(address);
  if (symbol == nullptr) {
    return {};
  }
  const std::uint64_t offset = number(address - symbol->address);
  return offset == 0 ? std::string(symbol->name)
                     : fmt::format("{}+{:#x}", symbol->name, offset);
}

std::string why_no_function(const Symbols& symbols, std::string_view module,
                            std::string_view name) {
  if (!module.empty() && !is_glob(module) && !symbols.has_module(module)) {
    NearNames near(module);
    for (const Symbol& symbol : symbols.all()) {
      near.offer(symbol.module);
    }
    const std::string question = near.question();
    return fmt::format("there is no module '{}' in this kernel now{}{}", module,
                       question.empty() ? "" : "; ", question);
  }
  std::vector<std::string> elsewhere;
  std::vector<std::string> suffixed;
  bool is_variable = false;
  NearNames near(name);
  for (const Symbol& symbol : symbols.all()) {
    if (!symbol.is_function()) {
      is_variable = is_variable || symbol.name == name;
      continue;
    }
    if (symbol.name == name) {
      elsewhere.emplace_back(symbol.module);
    } else if (symbol.name.size() > name.size() && symbol.name.starts_with(name) &&
               symbol.name[name.size()] == '.') {
      suffixed.emplace_back(symbol.name);
    } else if (!is_prefix_symbol(symbol.name)) {
      near.offer(symbol.name);
    }
  }
  const std::string what = is_glob(name)
                               ? fmt::format("no function matches '{}'", name)
                               : fmt::format("there is no function '{}'", name);
  const std::string where =
      module.empty() ? std::string(" in this kernel") : fmt::format(" in '{}'", module);
  if (!elsewhere.empty()) {
    return fmt::format("{}{}; it is in {}", what, where, list_of(elsewhere));
  }
  if (!suffixed.empty()) {
    return fmt::format("{}{}; the compiler made {} of it", what, where,
                       list_of(suffixed));
  }
  if (is_variable) {
    return fmt::format("'{}' is a variable, not a function", name);
  }
  const std::string question = near.question();
  return fmt::format("{}{}{}{}", what, where, question.empty() ? "" : "; ", question);
}

}  // namespace kinst::kernel
