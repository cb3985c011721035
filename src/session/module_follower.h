// Keeps probes in modules that come while the run goes on.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "kernel/lazy_symbols.h"
#include "provider/probe.h"
#include "session/match.h"
#include "session/running.h"

namespace kinst::session {

/// Whether anything is awaited in modules.
bool waits_for_modules(const Matches& matches);

/// A thread that looks at each awaited module when it has come. What has a place by
/// name the kernel has placed by then, and it is looked whether there is such a
/// function; what has to be looked for is attached, while the module's init function
/// runs, or has run: nothing holds it.
class ModuleFollower {
 public:
  /// What others are told, from the thread.
  struct Listener {
    /// Of each probe that comes, before it can fire.
    std::function<void(const provider::Probe&)> probe;
    /// Of the kernel's symbols with an awaited module that has come.
    std::function<void(std::shared_ptr<kernel::LazySymbols>)> symbols;
    /// Of how many probes came: "the module xfs has come: 3 probes".
    std::function<void(const std::string& sentence)> gain;
    std::function<void(const std::string& sentence)> failure;
  };

  /// Both must outlive it. most_probes: as provider::KinstProvider has it.
  /// Errors: what the kernel refused.
  static Result<ModuleFollower> make(Running& running, const Matches& matches,
                                     std::size_t most_probes, Listener listener);

  ModuleFollower(ModuleFollower&&) noexcept;
  ModuleFollower& operator=(ModuleFollower&&) = delete;
  ModuleFollower(const ModuleFollower&) = delete;
  ModuleFollower& operator=(const ModuleFollower&) = delete;
  /// Ends the thread.
  ~ModuleFollower();

  /// Starts the thread. Everything is attached that is attached at first.
  void begin();

 private:
  struct Work;
  explicit ModuleFollower(std::unique_ptr<Work> work);

  std::unique_ptr<Work> work_;
};

}  // namespace kinst::session
