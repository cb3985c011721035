// What a run's addresses and probes are called.
#pragma once

#include <sys/types.h>

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "consumer/names.h"
#include "isa/isa.h"
#include "kernel/lazy_debug_information.h"
#include "kernel/lazy_symbols.h"
#include "provider/probe.h"
#include "user/process.h"

namespace kinst::session {

/// Answers from the kernel's symbols, the processes' files and the run's probes. What
/// it is made from must outlive it.
class RunNames final : public consumer::Names {
 public:
  RunNames(const std::vector<provider::Probe>& probes, kernel::LazySymbols& symbols,
           kernel::LazyDebugInformation& debug, user::Processes& processes,
           const isa::Isa& isa);

  std::optional<consumer::Place> kernel_place(std::uint64_t address) override;
  std::optional<consumer::Place> user_place(std::uint64_t process,
                                            std::uint64_t address) override;
  const provider::Probe* probe(std::uint64_t key) override;
  std::string instruction(record::Meaning what, std::uint64_t key) override;

  /// One more probe, which must outlive this; from any thread.
  void add(const provider::Probe& probe);

  /// The kernel's symbols as they are now that other modules have come: addresses are
  /// looked up in these first, and as before where they name nothing, for some eight
  /// such changes. From any thread; nobody else asks the symbols any more.
  void add_symbols(std::shared_ptr<kernel::LazySymbols> symbols);

  /// What the process has mapped has changed: its addresses are looked up anew. From
  /// any thread.
  void note_change(pid_t process);

  /// The option noresolve: addresses of processes stay numbers.
  void leave_user_addresses() { names_user_addresses_ = false; }
  /// The process of addresses that come without one: the target, as DTrace has it.
  void set_target(pid_t process) { target_ = process; }

 private:
  std::optional<kernel::Symbol> symbol_at(KernelAddress address);
  /// Whether it has since this was last asked.
  bool has_changed(pid_t process);

  std::unordered_map<std::uint64_t, const provider::Probe*> probes_;
  std::set<pid_t> changed_;
  /// Newest first.
  std::deque<std::shared_ptr<kernel::LazySymbols>> later_symbols_;
  std::mutex noting_;  ///< of all three
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

}  // namespace kinst::session
