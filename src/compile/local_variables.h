// Parameters and local variables of the traced code, by name.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/plan/operand_shape.h"
#include "compile/match/debug_types.h"
#include "compile/match/match.h"
#include "d/typed/typed_program.h"
#include "kernel/debug/lazy_debug_information.h"
#include "types/type.h"

namespace kinst::compile {

/// Finds variables for one compilation. What is known of a probe is read once.
/// References its constructor's arguments.
class LocalVariables {
 public:
  LocalVariables(const Matches& matches, kernel::LazyDebugInformation& debug,
                 DebugTypes& types)
      : matches_(&matches), debug_(&debug), types_(&types) {}

  /// As d::ProbedCode::local_variable().
  std::optional<Result<types::TypeId>> find(std::size_t description,
                                            std::string_view name);
  /// Why the description can have no local variables; empty if it can.
  std::string why_none(std::size_t description);

  /// Where a checked program's local variables are, at each probe of their
  /// descriptions.
  codegen::LocalPlaces places(std::span<const d::typed::Local> locals);

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
  Result<types::TypeId> judge(std::string_view name, const Found& found);

  const Matches* matches_;
  kernel::LazyDebugInformation* debug_;
  DebugTypes* types_;
  std::map<std::uint64_t, std::vector<kernel::LocalVariable>> at_;  ///< by probe key
};

}  // namespace kinst::compile
