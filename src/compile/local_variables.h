// Parameters and local variables of the traced code, by name.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/plan/operand_shape.h"
#include "compile/match/debug_types.h"
#include "compile/match/match.h"
#include "d/check/probed_code.h"
#include "kernel/debug/lazy_debug_information.h"

namespace kinst::compile {

/// Finds variables for one compilation, and remembers the place of each variable that
/// was asked for. References its constructor's arguments.
class LocalVariables {
 public:
  LocalVariables(const Matches& matches, kernel::LazyDebugInformation& debug,
                 DebugTypes& types)
      : matches_(&matches), debug_(&debug), types_(&types) {}

  /// As d::ProbedCode::local_variable().
  std::optional<Result<d::ProbedCode::LocalInfo>> find(std::size_t description,
                                                       std::string_view name);
  /// Why the description can have no local variables; empty if it can.
  std::string why_none(std::size_t description);

  /// Where each variable that was found is, at each of its probes.
  [[nodiscard]] const codegen::LocalPlaces& places() const { return places_; }

 private:
  /// A variable at all instructions that a description matches.
  struct Found {
    struct Location {
      const provider::Probe* probe = nullptr;
      kernel::LocalVariable variable;
    };
    std::vector<Location> places;
    std::size_t out_of_scope = 0;  ///< instructions that have no such variable
  };

  Found search(std::size_t description, std::string_view name);
  const std::vector<kernel::LocalVariable>& variables_at(const provider::Probe& probe);
  Result<d::ProbedCode::LocalInfo> judge(std::size_t description, std::string_view name,
                                         const Found& found);

  const Matches* matches_;
  kernel::LazyDebugInformation* debug_;
  DebugTypes* types_;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> numbers_;
  std::map<std::uint64_t, std::vector<kernel::LocalVariable>> at_;  ///< by probe key
  codegen::LocalPlaces places_;
};

}  // namespace kinst::compile
