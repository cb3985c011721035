// The names of a run's addresses and probes.
#pragma once

#include <sys/types.h>

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "consumer/values/symbolizer.h"
#include "isa/isa.h"
#include "kernel/debug/lazy_debug_information.h"
#include "kernel/symbols/lazy_symbols.h"
#include "provider/probe.h"
#include "user/process.h"

namespace kinst::run {

/// Looks names up in the kernel's symbols, the processes' files and the run's probes.
/// The constructor's arguments must outlive it.
class RunSymbolizer final : public consumer::Symbolizer {
 public:
  RunSymbolizer(const std::vector<provider::Probe>& probes,
                kernel::LazySymbols& symbols, kernel::LazyDebugInformation& debug,
                user::Processes& processes, const isa::Isa& isa);

  std::optional<consumer::SymbolOffset> kernel_place(std::uint64_t address) override;
  std::optional<consumer::SymbolOffset> user_place(std::uint64_t process,
                                                   std::uint64_t address) override;
  const provider::Probe* probe(std::uint64_t key) override;
  std::string instruction(record::Meaning what, std::uint64_t key) override;

  /// Adds a probe, which must outlive this. May be called from any thread.
  void add(const provider::Probe& probe);

  /// Adds the kernel's symbols as they are after modules were loaded. An address is
  /// looked up in the newest symbols first; symbols from before stay in use for
  /// addresses that the newer ones do not name. Only the newest eight additions are
  /// kept. May be called from any thread, and nobody else may use these symbols from
  /// then on.
  void add_symbols(std::shared_ptr<kernel::LazySymbols> symbols);

  /// Notes that the mappings of the process have changed, so that its addresses are
  /// looked up anew. May be called from any thread.
  void note_change(pid_t process);

  /// For the option noresolve: addresses in processes are shown as numbers.
  void leave_user_addresses() { names_user_addresses_ = false; }
  /// Sets the process in which addresses that come without a process are looked up: the
  /// target, as in DTrace.
  void set_target(pid_t process) { target_ = process; }

 private:
  std::optional<kernel::Symbol> symbol_at(KernelAddress address);
  /// Whether the mappings of the process have changed since this was last asked.
  bool has_changed(pid_t process);

  std::unordered_map<std::uint64_t, const provider::Probe*> probes_;
  std::set<pid_t> changed_;
  /// Newest first.
  std::deque<std::shared_ptr<kernel::LazySymbols>> later_symbols_;
  std::mutex noting_;  ///< protects the three members above
  const std::vector<kernel::LineRow>& lines_of(const provider::Probe& probe,
                                               KernelAddress function);
  std::string line(record::Meaning what, const provider::Probe& probe,
                   const provider::KernelInstruction& site);

  kernel::LazySymbols* symbols_;
  kernel::LazyDebugInformation* debug_;
  /// By the function's address.
  std::unordered_map<std::uint64_t, std::vector<kernel::LineRow>> lines_;
  const isa::Isa* isa_;
  user::Processes* processes_;
  bool names_user_addresses_ = true;
  pid_t target_ = 0;
};

}  // namespace kinst::run
