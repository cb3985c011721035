// What a D program can name that is neither D's nor its own, wherever its probes are:
// the kernel's types and symbols, the machine's registers. The checker asks; `compile`
// answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/near_names.h"
#include "types/type.h"

namespace kinst::d {

/// The four name spaces of C types.
enum class TypeNameKind : std::uint8_t { Typedef, Struct, Union, Enum };

/// A variable or function of the kernel or a module.
struct KernelSymbolInfo {
  std::string object;  ///< "vmlinux" or the module's name
  std::uint64_t address = 0;
  std::optional<types::TypeId> type;  ///< nothing where the kernel has none on record
  std::uint64_t size_bytes = 0;       ///< 0 if unknown
};

class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  Environment(Environment&&) = delete;
  Environment& operator=(Environment&&) = delete;
  virtual ~Environment() = default;

  /// The kernel's type of that name, put into the table the check works on. `object`
  /// is a module's name, "vmlinux", or empty for all.
  virtual std::optional<types::TypeId> kernel_type(std::string_view object,
                                                   TypeNameKind kind,
                                                   std::string_view name) = 0;

  /// `` object`name ``; an empty object searches the kernel, then its modules.
  virtual std::optional<KernelSymbolInfo> kernel_symbol(std::string_view object,
                                                        std::string_view name) = 0;
  /// Offers the names of the kernel's types of that kind for "did you mean".
  virtual void offer_types(TypeNameKind /*kind*/, NearNames& /*near*/) {}
  /// Why kernel_type(), or kernel_symbol(), cannot know any name at all; empty if it
  /// can.
  virtual std::string why_no_types() { return {}; }
  virtual std::string why_no_symbols() { return {}; }
  /// Offers the kernel's symbols for "did you mean".
  virtual void offer_symbols(std::string_view object, NearNames& near) = 0;

  /// The value of an enumerator of the kernel, and its enum.
  struct EnumeratorInfo {
    std::int64_t value = 0;
    types::TypeId type{};
  };
  virtual std::optional<EnumeratorInfo> kernel_enumerator(std::string_view name) = 0;

  /// The index into regs[] and uregs[] that a register's D name stands for: "R_RSI".
  virtual std::optional<std::uint32_t> register_index(std::string_view name) = 0;
  /// Every name that register_index() knows.
  [[nodiscard]] virtual std::vector<std::string> register_names() const = 0;
  /// D's name of the register that holds argument `number` at a function's first
  /// instruction, counted from 0; empty if none does.
  [[nodiscard]] virtual std::string argument_register(std::uint64_t /*number*/) const {
    return {};
  }
  /// D's name of the register that holds a function's result when it returns.
  [[nodiscard]] virtual std::string result_register() const { return {}; }
  /// How many elements regs[] has.
  [[nodiscard]] virtual std::uint32_t register_count() const = 0;
};

}  // namespace kinst::d
