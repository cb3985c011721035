// The kernel's symbols, read when they are first asked for and once.
#pragma once

#include <optional>

#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// Reading takes milliseconds at least, and many programs need no symbols.
class LazySymbols {
 public:
  /// The symbols, owned here; or why they cannot be had, the same at each call.
  const Result<Symbols>& get() {
    if (!symbols_) {
      symbols_.emplace(Symbols::read());
    }
    return *symbols_;
  }

  /// The symbol that covers `address`, also in code that the kernel compiled at run
  /// time; nothing where none does or there are no symbols.
  std::optional<Symbol> at_run_time(KernelAddress address) {
    const Result<Symbols>& known = get();
    auto found = known ? known->at(address) : std::nullopt;
    // Behind the last symbol of a module such code can stand.
    if ((found && found->end_is_known) || number(address) == 0) {
      return found;
    }
    if (!listed_) {
      listed_.emplace(Symbols::read_kallsyms());
    }
    return *listed_ ? (*listed_)->at(address) : found;
  }

 private:
  std::optional<Result<Symbols>> symbols_;
  // Only /proc/kallsyms names what was compiled at run time.
  std::optional<Result<Symbols>> listed_;
};

}  // namespace kinst::kernel
