// Attaches probes in kernel modules that are loaded during the run.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "compile/match/match.h"
#include "kernel/symbols/lazy_symbols.h"
#include "provider/probe.h"
#include "run/enabling.h"

namespace kinst::run {

/// A thread that examines each awaited module once the module is loaded. Probes that
/// are known by name have been attached by the kernel by then; the thread only checks
/// that their functions exist. Probes of patterns are found and attached by the thread.
/// Meanwhile the module's init function runs or has run, because nothing holds it.
class ModuleFollower {
 public:
  /// Callbacks, which the thread calls.
  struct Listener {
    /// Called for each probe that comes, before it can fire.
    std::function<void(const provider::Probe&)> probe;
    /// Called with the kernel's symbols after an awaited module was loaded.
    std::function<void(std::shared_ptr<kernel::LazySymbols>)> symbols;
    /// Called with the number of probes that came: "the module xfs has come: 3 probes".
    std::function<void(const std::string& sentence)> gain;
    std::function<void(const std::string& sentence)> failure;
  };

  /// enabling, matches: must outlive it. most_probes: as in provider::KinstProvider.
  /// Errors: what the kernel refused.
  static Result<ModuleFollower> make(Enabling& enabling,
                                     const compile::Matches& matches,
                                     std::size_t most_probes, Listener listener);

  ModuleFollower(ModuleFollower&&) noexcept;
  ModuleFollower& operator=(ModuleFollower&&) = delete;
  ModuleFollower(const ModuleFollower&) = delete;
  ModuleFollower& operator=(const ModuleFollower&) = delete;
  /// Stops the thread and waits for its end.
  ~ModuleFollower();

  /// Starts the thread. To be called after the probes that exist at first are attached.
  void begin();

 private:
  struct Work;
  explicit ModuleFollower(std::unique_ptr<Work> work);

  std::unique_ptr<Work> work_;
};

}  // namespace kinst::run
