// Symbols as a list in address order: the symbols of modules, or all symbols if only
// /proc/kallsyms can be read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/symbols/symbol.h"

namespace kinst::kernel {

/// A symbol whose texts the list owns; as Symbol otherwise.
struct ListedSymbol {
  KernelAddress address{};
  std::uint64_t size_bytes = 0;
  bool end_is_known = true;
  std::string_view name;
  std::string_view module;
  char type = '?';

  [[nodiscard]] Symbol symbol() const {
    return {.address = address,
            .size_bytes = size_bytes,
            .end_is_known = end_is_known,
            .name = std::string(name),
            .module = std::string(module),
            .type = type};
  }
};

class SymbolList {
 public:
  /// No symbols.
  SymbolList() = default;

  /// From the text of /proc/kallsyms. Errors: not of its form; all addresses hidden.
  static Result<SymbolList> parse(std::string kallsyms);

  /// Of symbols in any order, whose texts are those of `texts`, which this keeps. Their
  /// sizes and ends are found here.
  SymbolList(std::vector<ListedSymbol> symbols,
             std::vector<std::unique_ptr<const std::string>> texts);

  /// Ascending; symbols of one address in the kernel's order.
  [[nodiscard]] const std::vector<ListedSymbol>& all() const { return symbols_; }

  /// Gives each symbol the letter that `type_of` has for it.
  void retype(const std::function<char(const ListedSymbol&)>& type_of);

  /// Those that begin at `address`.
  [[nodiscard]] std::span<const ListedSymbol> beginning_at(KernelAddress address) const;

  /// The first of those that cover `address`; null where none does. Per-CPU offsets,
  /// which look like small addresses, cover none.
  [[nodiscard]] const ListedSymbol* at(KernelAddress address) const;

 private:
  std::vector<std::unique_ptr<const std::string>> texts_;
  std::vector<ListedSymbol> symbols_;
};

}  // namespace kinst::kernel
