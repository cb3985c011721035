// The names of the running kernel's functions and variables, and of its modules'.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"

namespace kinst::kernel {

/// The module field of what belongs to the kernel image itself.
inline constexpr std::string_view kernel_module = "vmlinux";

/// A symbol; its texts live as long as the Symbols that it came from.
struct Symbol {
  KernelAddress address{};
  /// Up to the next symbol at a higher address, so padding is included.
  std::uint64_t size_bytes = 0;
  /// False for a module's last symbol, whose real end no symbol marks: size_bytes is
  /// then as much as it can be within reason.
  bool end_is_known = true;
  std::string_view name;
  /// "vmlinux", a module's name, or what the kernel shows in brackets for text that it
  /// makes at run time: "bpf", "__builtin__ftrace", "__builtin__kprobes".
  std::string_view module;
  /// nm(1)'s letter: 't' and 'T' are text, 'w' and 'W' weak.
  char type = '?';

  [[nodiscard]] bool is_function() const {
    return type == 't' || type == 'T' || type == 'w' || type == 'W';
  }
};

/// All symbols, from one reading.
class Symbols {
 public:
  /// From the text of /proc/kallsyms. Errors: not of its form; all addresses hidden.
  static Result<Symbols> parse(std::string kallsyms);
  /// From this kernel. Errors: those of parse(), unreadable.
  static Result<Symbols> read();

  Symbols(Symbols&&) = default;
  Symbols& operator=(Symbols&&) = default;
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;
  ~Symbols() = default;

  /// In address order; symbols of one address in the kernel's order.
  [[nodiscard]] const std::vector<Symbol>& all() const { return symbols_; }

  /// The functions whose module and name match the patterns, in address order. An empty
  /// pattern matches everything. Prefix symbols that the compiler puts before functions
  /// (__pfx_…, __cfi_…) are no functions.
  [[nodiscard]] std::vector<const Symbol*> functions(std::string_view module_pattern,
                                                     std::string_view pattern) const;

  /// Where the kernel image's symbol of that name is, whatever it is.
  [[nodiscard]] std::optional<KernelAddress> address_of(std::string_view name) const;

  /// The symbol of that module (empty: the kernel image, then any module) and name.
  [[nodiscard]] const Symbol* find(std::string_view module,
                                   std::string_view name) const;

  /// The symbol that covers `address`, the first of several; null where none does.
  /// Per-CPU offsets, which look like small addresses, cover none.
  [[nodiscard]] const Symbol* at(KernelAddress address) const;

  /// All symbols that begin at `address`, in the kernel's order.
  [[nodiscard]] std::span<const Symbol> beginning_at(KernelAddress address) const;

  /// Whether symbols of such a module are known.
  [[nodiscard]] bool has_module(std::string_view module) const;

 private:
  Symbols() = default;

  std::unique_ptr<const std::string> text_;
  std::vector<Symbol> symbols_;
};

/// "vfs_read", or "vfs_read+0x1c" within it; empty where no symbol covers `address`.
std::string symbol_text(const Symbols& symbols, KernelAddress address);

/// Why no function matches, for an error: names of other modules, names that the
/// compiler gave a suffix (.isra.0, .constprop.0, .part.0, .cold), near names.
/// `module` and `name` as given to Symbols::functions, which found nothing.
std::string why_no_function(const Symbols& symbols, std::string_view module,
                            std::string_view name);

}  // namespace kinst::kernel
