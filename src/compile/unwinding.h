// Tables for walking the stacks of processes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "bpf/load/load.h"
#include "bpf/load/map.h"
#include "compile/match/system.h"
#include "isa/isa.h"
#include "types/kernel_types.h"
#include "types/type.h"
#include "unwind/unwind_tables.h"
#include "user/process.h"

namespace kinst::compile {

/// Makes tables for the code that the processes have mapped now. Files without call
/// frame information or for another machine, 32-bit ones too, and processes that cannot
/// be read get no tables.
codegen::UnwindTables make_unwind_tables(const std::set<pid_t>& processes,
                                         user::Processes& known, const isa::Isa& isa,
                                         types::KernelTypes& types);

/// Keeps a run's tables up to date while processes load libraries and execute other
/// programs.
class UnwindTablesInUse {
 public:
  /// object: the loaded programs, which have no maps for tables if the program uses no
  /// user stacks.
  /// Errors: the maps cannot be mapped into memory.
  static Result<UnwindTablesInUse> open(const bpf::Object& object, System& system);

  /// Checks what is mapped now, and replaces the tables if that has changed. Until the
  /// new tables are complete, stacks are walked by frame pointers; if the maps have no
  /// room for the new tables, this stays so.
  void follow();

 private:
  /// What a process has mapped, to notice a change: the process, the range, the file.
  using Mapped = std::tuple<pid_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  explicit UnwindTablesInUse(System& system) : system_(&system) {}
  std::vector<Mapped> look();
  void replace(const codegen::UnwindTables& tables);

  System* system_;
  std::set<pid_t> processes_;
  std::vector<Mapped> mapped_;
  std::chrono::steady_clock::time_point looked_;
  bpf::MappedArray settings_;
  bpf::MappedArray ranges_;
  bpf::MappedArray rows_;
};

}  // namespace kinst::compile
