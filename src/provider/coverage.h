// Counts how many of the functions that a description matches have probes.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "d/syntax/ast.h"
#include "kernel/symbols/symbol.h"
#include "provider/provider.h"

namespace kinst::provider {

/// The description as a user writes it: kinst::vfs_read:9.
std::string written(const d::Description& description);

/// Counts the functions of one description, which are added one by one.
class Coverage {
 public:
  /// functions: all functions of the description. Functions that share a name are told
  /// apart by their addresses.
  explicit Coverage(std::span<const kernel::Symbol> functions);

  /// Adds a function. If the function shares its name with others, adds its address to
  /// the reasons in `skipped`.
  /// has_probe: whether the function has a probe. skipped: what is skipped in it.
  void add(const kernel::Symbol& function, bool has_probe, std::span<Skipped> skipped);

  /// A note such as "kinst::f:0 has probes in 1 of 2 functions (f at ffffffff81001000);
  /// -v says why". Empty if no function has a probe, or if every function does in which
  /// the description matches something.
  [[nodiscard]] std::string told(const d::Description& description) const;

 private:
  std::set<std::string, std::less<>> ambiguous_;  ///< "module:name"
  std::size_t meant_ = 0;
  std::vector<std::string> probed_;
};

}  // namespace kinst::provider
