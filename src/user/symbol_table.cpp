#include "user/symbol_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text/glob.h"

namespace kinst::user {
namespace {

// The best name: functions before data, then the order of DTrace's libproc: global
// names before weak before local ones, fewer underscores, shorter names.
auto rank_of_name(const ElfSymbol& symbol) {
  const auto underscores =
      std::min(symbol.name.find_first_not_of('_'), symbol.name.size());
  return std::tuple(!symbol.is_function, -static_cast<int>(symbol.binding), underscores,
                    symbol.name.size(), std::string_view(symbol.name));
}

}  // namespace

SymbolTable::SymbolTable(std::vector<ElfSymbol> symbols,
                         std::span<const CodeSection> code) {
  std::ranges::sort(symbols, [](const ElfSymbol& left, const ElfSymbol& right) {
    return std::tuple(left.address, rank_of_name(left)) <
           std::tuple(right.address, rank_of_name(right));
  });
  for (ElfSymbol& symbol : symbols) {
    if (symbols_.empty() || symbols_.back().address != symbol.address) {
      symbols_.push_back(std::move(symbol));
      continue;
    }
    ElfSymbol& best = symbols_.back();
    best.size_bytes = std::max(best.size_bytes, symbol.size_bytes);
    other_names_.push_back({.name = std::move(symbol.name),
                            .symbol = static_cast<std::uint32_t>(symbols_.size() - 1)});
  }
  symbols_.shrink_to_fit();
  other_names_.shrink_to_fit();
  for (std::size_t index = 0; index + 1 < symbols_.size(); ++index) {
    if (symbols_[index].size_bytes == 0) {
      symbols_[index].size_bytes =
          symbols_[index + 1].address - symbols_[index].address;
    }
  }
  if (!code.empty()) {
    end_with_sections(code);
  }
}

void SymbolTable::end_with_sections(std::span<const CodeSection> code) {
  for (ElfSymbol& symbol : symbols_) {
    if (!symbol.is_function) {
      continue;
    }
    const auto section = std::ranges::find_if(code, [&](const CodeSection& candidate) {
      return symbol.address >= candidate.address &&
             symbol.address - candidate.address < candidate.size_bytes;
    });
    if (section == code.end()) {
      symbol.is_function = false;
      continue;
    }
    const std::uint64_t rest = section->address + section->size_bytes - symbol.address;
    symbol.size_bytes =
        symbol.size_bytes == 0 ? rest : std::min(symbol.size_bytes, rest);
  }
}

const ElfSymbol* SymbolTable::at(std::uint64_t address) const {
  // Symbols within symbols are few and small: the nearest before that covers it.
  constexpr int most_nested = 8;
  auto after = std::ranges::upper_bound(symbols_, address, {}, &ElfSymbol::address);
  for (int tries = 0; tries < most_nested && after != symbols_.begin(); ++tries) {
    --after;
    if (address - after->address < after->size_bytes) {
      return &*after;
    }
  }
  return nullptr;
}

std::vector<const ElfSymbol*> SymbolTable::functions(std::string_view pattern) const {
  std::vector<const ElfSymbol*> found;
  const auto matches = [&](std::string_view name) {
    return pattern.empty() || glob_matches(pattern, name);
  };
  for (const ElfSymbol& symbol : symbols_) {
    if (symbol.is_function && matches(symbol.name)) {
      found.push_back(&symbol);
    }
  }
  for (const Name& other : other_names_) {
    const ElfSymbol& symbol = symbols_[other.symbol];
    if (symbol.is_function && matches(other.name)) {
      found.push_back(&symbol);
    }
  }
  std::ranges::sort(found, {}, &ElfSymbol::address);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::size_t SymbolTable::memory_bytes() const {
  std::size_t bytes =
      symbols_.capacity() * sizeof(ElfSymbol) + other_names_.capacity() * sizeof(Name);
  for (const ElfSymbol& symbol : symbols_) {
    bytes += symbol.name.capacity();
  }
  for (const Name& other : other_names_) {
    bytes += other.name.capacity();
  }
  return bytes;
}

}  // namespace kinst::user
