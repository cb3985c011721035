// Lines of /proc/kallsyms are
//   ffffffff81000000 T _stext
//   ffffffffc0201000 t ext4_read    [ext4]
// with 200,000 of them on a common kernel, so they are parsed by hand.
#include "kernel/symbols/symbol_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

std::optional<ListedSymbol> parse_line(std::string_view line) {
  const Hexadecimal address = parse_hexadecimal(line);
  // "0123456789abcdef T n" at least.
  if (address.digits == 0 || line.size() < address.digits + 4) {
    return std::nullopt;
  }
  ListedSymbol out{.address = KernelAddress{address.value},
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
void sort_by_address(std::vector<ListedSymbol>& symbols) {
  const auto unsorted =
      std::ranges::is_sorted_until(symbols, {}, &ListedSymbol::address);
  std::ranges::stable_sort(unsorted, symbols.end(), {}, &ListedSymbol::address);
  std::ranges::inplace_merge(symbols, unsorted, {}, &ListedSymbol::address);
}

// Sizes reach to the next higher address. Between the last symbol of a module and the
// next module's first there can be a hole of any size, which belongs to neither.
void set_sizes(std::vector<ListedSymbol>& symbols) {
  for (std::size_t i = symbols.size(); i-- > 0;) {
    ListedSymbol& one = symbols[i];
    if (i + 1 == symbols.size()) {
      one.size_bytes = most_bytes_without_an_end;
      one.end_is_known = false;
      continue;
    }
    const ListedSymbol& next = symbols[i + 1];
    if (next.address == one.address) {
      one.size_bytes = next.size_bytes;
      one.end_is_known = next.end_is_known;
      continue;
    }
    one.size_bytes = number(next.address - one.address);
    // Behind the text of a module come its data, on other pages.
    const bool is_last_text = one.module != kernel_module &&
                              is_function_type(one.type) &&
                              !is_function_type(next.type);
    one.end_is_known = next.module == one.module && !is_last_text;
    if (!one.end_is_known) {
      one.size_bytes = std::min(one.size_bytes, most_bytes_without_an_end);
    }
  }
}

}  // namespace

SymbolList::SymbolList(std::vector<ListedSymbol> symbols,
                       std::vector<std::unique_ptr<const std::string>> texts)
    : texts_(std::move(texts)), symbols_(std::move(symbols)) {
  sort_by_address(symbols_);
  set_sizes(symbols_);
}

Result<SymbolList> SymbolList::parse(std::string kallsyms) {
  std::vector<std::unique_ptr<const std::string>> texts;
  texts.push_back(std::make_unique<const std::string>(std::move(kallsyms)));
  std::string_view rest = *texts.back();
  std::vector<ListedSymbol> symbols;
  symbols.reserve(rest.size() / 40);
  bool any_address = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::optional<ListedSymbol> symbol = parse_line(rest.substr(0, end));
    if (!symbol) {
      return error("cannot understand /proc/kallsyms: its line '{}' is no symbol",
                   rest.substr(0, end));
    }
    any_address = any_address || number(symbol->address) != 0;
    symbols.push_back(*symbol);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (symbols.empty()) {
    return error("cannot find kernel symbols: /proc/kallsyms is empty");
  }
  if (!any_address) {
    return error(
        "cannot find kernel symbols: /proc/kallsyms hides all addresses; run as root, "
        "and with kernel.kptr_restrict set to 0 or 1 (sysctl -w "
        "kernel.kptr_restrict=1)");
  }
  return SymbolList(std::move(symbols), std::move(texts));
}

void SymbolList::retype(const std::function<char(const ListedSymbol&)>& type_of) {
  for (ListedSymbol& one : symbols_) {
    one.type = type_of(one);
  }
}

std::span<const ListedSymbol> SymbolList::beginning_at(KernelAddress address) const {
  return {std::ranges::lower_bound(symbols_, address, {}, &ListedSymbol::address),
          std::ranges::upper_bound(symbols_, address, {}, &ListedSymbol::address)};
}

const ListedSymbol* SymbolList::at(KernelAddress address) const {
  const auto above =
      std::ranges::upper_bound(symbols_, address, {}, &ListedSymbol::address);
  if (above == symbols_.begin()) {
    return nullptr;
  }
  const KernelAddress begin = std::prev(above)->address;
  const auto first =
      std::ranges::lower_bound(symbols_, begin, {}, &ListedSymbol::address);
  return number(address - begin) < first->size_bytes && !is_absolute_type(first->type)
             ? &*first
             : nullptr;
}

}  // namespace kinst::kernel
