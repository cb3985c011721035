// The names of the running kernel's functions and variables, and of its modules'.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/memory/address_range.h"
#include "kernel/symbols/image_symbols.h"
#include "kernel/symbols/symbol.h"
#include "kernel/symbols/symbol_list.h"

namespace kinst::kernel {

/// All symbols. What is given back is the caller's.
class Symbols {
 public:
  /// From the text of /proc/kallsyms. Errors: not of its form; all addresses hidden.
  static Result<Symbols> parse(std::string kallsyms);
  /// From this kernel: from its own tables if they can be read, which takes a tenth of
  /// the time; otherwise from /proc/kallsyms. Only the latter has code that is compiled
  /// at run time.
  /// Errors: those of parse(), unreadable.
  static Result<Symbols> read();
  /// From this kernel's own tables only. Errors: those of ImageSymbols::open(),
  /// /proc/kcore cannot be read, modules without BTF to understand them with.
  static Result<Symbols> read_tables();
  /// From this kernel's /proc/kallsyms. Errors: those of parse(), unreadable.
  static Result<Symbols> read_kallsyms();

  /// The functions whose module and name match the patterns, in address order. An empty
  /// pattern matches everything. Prefix symbols that the compiler puts before functions
  /// (__pfx_…, __cfi_…) are no functions.
  [[nodiscard]] std::vector<Symbol> functions(std::string_view module_pattern,
                                              std::string_view pattern) const;

  /// Where the kernel image's symbol of that name is, whatever it is.
  [[nodiscard]] std::optional<KernelAddress> address_of(std::string_view name) const;

  /// The symbol of that module (empty: the kernel image, then any module) and name.
  [[nodiscard]] std::optional<Symbol> find(std::string_view module,
                                           std::string_view name) const;

  /// The symbol that covers `address`, the first of several; nothing where none does.
  /// Per-CPU offsets, which look like small addresses, cover none.
  [[nodiscard]] std::optional<Symbol> at(KernelAddress address) const;

  /// All symbols that begin at `address`, in the kernel's order.
  [[nodiscard]] std::vector<Symbol> beginning_at(KernelAddress address) const;

  /// Every symbol of the module (empty: of all), the image's before those of modules,
  /// ascending in both. What `visit` is given lives until it returns.
  void for_each(std::string_view module,
                const std::function<void(const Symbol&)>& visit) const;

  /// "vmlinux" and the name of each module that has symbols; not the names of text that
  /// the kernel makes at run time (kernel/symbols/symbol.h).
  [[nodiscard]] std::vector<std::string> modules() const;

  /// Whether symbols of such a module are known.
  [[nodiscard]] bool has_module(std::string_view module) const;

 private:
  Symbols(std::optional<ImageSymbols> image, SymbolList others);

  [[nodiscard]] char type_of(KernelAddress address, char type) const;
  [[nodiscard]] Symbol image_symbol(std::size_t index, ImageSymbols::Name name) const;
  void visit_image(std::string_view prefix,
                   const std::function<void(const Symbol&)>& visit) const;

  // The kernel image's where its own tables are read; `others_` has them otherwise.
  std::optional<ImageSymbols> image_;
  SymbolList others_;
  // Where the image's functions are; empty where its symbols do not tell.
  std::vector<AddressRange> image_text_;
};

/// Whether the compiler put the symbol before a function, as a prefix of it.
bool is_prefix_symbol(std::string_view name);

/// "vfs_read", or "vfs_read+0x1c" within it; empty where no symbol covers `address`.
std::string symbol_text(const Symbols& symbols, KernelAddress address);

}  // namespace kinst::kernel
