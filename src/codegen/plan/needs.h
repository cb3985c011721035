// What clauses need besides the probes at which they run: the needs of the built-in
// variables and functions that they use, added up.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "d/tables/need.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

struct ProgramNeeds {
  d::Needs needs;
  /// The numbers of the registers that uregs[] reads. Some are in the thread's
  /// structures, for which the kernel's offsets are needed, too.
  std::set<std::uint64_t> user_registers;

  [[nodiscard]] bool has(d::Need need) const { return needs.has(need); }
  bool operator==(const ProgramNeeds&) const = default;
};

ProgramNeeds needs_of(const d::typed::Clause& clause);
ProgramNeeds needs_of(const d::typed::Program& program);

/// Which of the probe's arguments argN or args[N] is; nothing for what is neither.
std::optional<std::uint64_t> argument_number(const d::typed::BuiltinValue& value);

}  // namespace kinst::codegen
