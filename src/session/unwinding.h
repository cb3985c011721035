// The tables by which the stacks of processes are walked.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "bpf/load.h"
#include "bpf/map.h"
#include "codegen/unwind_tables.h"
#include "d/typed_program.h"
#include "isa/isa.h"
#include "session/ground.h"
#include "types/kernel_types.h"
#include "types/type.h"
#include "user/process.h"

namespace kinst::session {

/// Whether the program looks at the stacks of user programs.
bool uses_user_stacks(const d::typed::Program& program);

/// Tables for all that those processes have mapped by now. Files without call frame
/// information, processes of narrower programs and those that cannot be read have none.
codegen::UnwindTables make_unwind_tables(const std::set<pid_t>& processes,
                                         user::Processes& known, const isa::Isa& isa,
                                         types::TypeTable& table,
                                         types::KernelTypes& types);

/// Keeps the tables of a run true while processes load libraries and execute other
/// programs.
class UnwindTablesInUse {
 public:
  /// object: with the tables' maps, or without, if stacks are not looked at.
  /// Errors: the maps cannot be mapped into memory.
  static Result<UnwindTablesInUse> open(const bpf::Object& object, Ground& ground);

  /// Looks at what is mapped now; new tables take the place of the old ones. Until they
  /// are complete stacks are walked by frame pointers, and so they are later if the
  /// maps have no room.
  void follow();

 private:
  /// What tells one look from another: where a process has which file.
  using Mapped = std::tuple<pid_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  explicit UnwindTablesInUse(Ground& ground) : ground_(&ground) {}
  std::vector<Mapped> look();
  void replace(const codegen::UnwindTables& tables);

  Ground* ground_;
  std::set<pid_t> processes_;
  std::vector<Mapped> mapped_;
  std::chrono::steady_clock::time_point looked_;
  bpf::MappedArray settings_;
  bpf::MappedArray ranges_;
  bpf::MappedArray rows_;
};

}  // namespace kinst::session
