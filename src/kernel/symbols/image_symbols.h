// The kernel image's symbols, in the compressed tables that the kernel itself looks
// them up in. They are read through /proc/kcore, and only as far as a look-up needs. So
// the kernel need not print a hundred thousand lines of /proc/kallsyms, and kinst need
// not read them. Source: scripts/kallsyms.c and kernel/kallsyms.c.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "base/system/chunk_cache.h"
#include "kernel/memory/memory.h"

namespace kinst::kernel {

/// Symbols are numbered from 0 in ascending order of their addresses.
class ImageSymbols {
 public:
  /// memory: this kernel's. vmcoreinfo: of the same kernel, see read_vmcoreinfo().
  /// Errors: the kernel does not say where its tables are (before Linux 6.0), or the
  /// tables' form is not known. The result can therefore be relied on.
  static Result<ImageSymbols> open(std::unique_ptr<const Memory> memory,
                                   std::string_view vmcoreinfo);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] KernelAddress address(std::size_t index) const;
  /// The first symbol above `wanted`; size() if there is none.
  [[nodiscard]] std::size_t first_above(KernelAddress wanted) const;

  struct Name {
    /// nm(1)'s letter.
    char type = '?';
    std::string text;
  };
  [[nodiscard]] Name name(std::size_t index) const;

  /// All symbols of that name, ascending.
  [[nodiscard]] std::vector<std::size_t> find(std::string_view wanted) const;

  /// Every symbol whose name begins with `prefix`, ascending; `visit` may keep nothing
  /// of the name that it is given.
  void for_each(
      std::string_view prefix,
      const std::function<void(std::size_t index, const Name& name)>& visit) const;

 private:
  explicit ImageSymbols(std::unique_ptr<const Memory> memory);

  // Where the tables are. Markers are the offsets of every 256th name; by_name lists
  // the symbols in the order of their names, and older kernels do not have it.
  struct Places {
    KernelAddress names{};
    KernelAddress names_end{};
    KernelAddress markers{};
    KernelAddress offsets{};
    std::optional<KernelAddress> by_name;
  };

  // A name as it is stored: a token of one byte after the other.
  using Tokens = std::span<const std::byte>;

  static std::vector<Places> possible_places(const Places& known,
                                             KernelAddress token_table,
                                             KernelAddress relative_base,
                                             std::size_t count);
  Result<void> read_tokens(KernelAddress table, KernelAddress index);
  [[nodiscard]] bool markers_are_right() const;
  bool choose_address_rule(KernelAddress stext);
  [[nodiscard]] std::uint32_t word(KernelAddress table, std::size_t index) const;
  [[nodiscard]] std::uint64_t skip(std::uint64_t position, std::size_t names) const;
  [[nodiscard]] std::size_t symbol_by_name(std::size_t rank) const;
  [[nodiscard]] Name expand(Tokens tokens) const;
  [[nodiscard]] std::array<bool, 256> tokens_that_begin(std::string_view prefix) const;
  template <typename Visit>
  void walk(const Visit& visit) const;
  [[nodiscard]] std::vector<std::size_t> find_in_order(std::string_view wanted) const;
  [[nodiscard]] std::vector<std::size_t> find_by_walking(std::string_view wanted) const;

  std::unique_ptr<const Memory> memory_;
  // Reading what was read already changes nothing that can be seen from outside.
  mutable ChunkCache pieces_;
  mutable std::map<std::string, std::vector<std::size_t>, std::less<>> walked_for_;
  Places places_;
  std::size_t count_ = 0;
  std::array<std::string, 256> tokens_;
  KernelAddress relative_base_{};
  // Offsets that are not negative are absolute: CONFIG_KALLSYMS_ABSOLUTE_PERCPU.
  bool has_absolute_offsets_ = false;
};

}  // namespace kinst::kernel
