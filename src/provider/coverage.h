// In how many of the functions that a description means there are probes.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "d/ast.h"
#include "kernel/symbol.h"
#include "provider/provider.h"

namespace kinst::provider {

/// The description as it is written: kinst::vfs_read:9.
std::string written(const d::Description& description);

/// Counts functions as they are looked at, one after the other.
class Coverage {
 public:
  /// functions: all of them; those that share a name are told apart by address.
  explicit Coverage(std::span<const kernel::Symbol> functions);

  /// Takes note of a function, in which there is a probe or not, and of what is skipped
  /// there: says at that which function it is, if its name does not.
  void add(const kernel::Symbol& function, bool has_probe, std::span<Skipped> skipped);

  /// "kinst::f:0 has probes in 1 of 2 functions (f at ffffffff81001000); -v says why";
  /// empty if there are probes in none, or in all in which the description means
  /// something.
  [[nodiscard]] std::string told(const d::Description& description) const;

 private:
  std::set<std::string, std::less<>> ambiguous_;  ///< "module:name"
  std::size_t meant_ = 0;
  std::vector<std::string> probed_;
};

}  // namespace kinst::provider
