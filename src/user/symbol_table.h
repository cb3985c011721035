// A file's symbols, by address and by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "user/elf_file.h"

namespace kinst::user {

/// Addresses are the file's own. Several names of one function are one symbol under its
/// best-known name; functions() finds it by the other names as well.
class SymbolTable {
 public:
  SymbolTable() = default;
  /// code: the file's sections of instructions; empty if the file has no sections. A
  /// function ends at the latest where its section ends, and a symbol outside of these
  /// sections is not a function.
  explicit SymbolTable(std::vector<ElfSymbol> symbols,
                       std::span<const CodeSection> code = {});

  /// The symbol whose bytes cover `address`; null if none does.
  [[nodiscard]] const ElfSymbol* at(std::uint64_t address) const;
  /// The functions that have a name that matches the pattern, in address order, each
  /// once. An empty pattern matches all functions.
  [[nodiscard]] std::vector<const ElfSymbol*> functions(std::string_view pattern) const;
  /// One for each address, under its best name, in address order; a size that the file
  /// does not say is up to the next symbol or the end of the section.
  [[nodiscard]] const std::vector<ElfSymbol>& all() const { return symbols_; }
  /// How much memory it takes, about.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void end_with_sections(std::span<const CodeSection> code);

  struct Name {
    std::string name;
    std::uint32_t symbol = 0;  ///< index of symbols_
  };
  std::vector<ElfSymbol> symbols_;
  std::vector<Name> other_names_;
};

}  // namespace kinst::user
