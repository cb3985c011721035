// The kernel's symbols, read when they are first asked for and once.
#pragma once

#include <optional>

#include "kernel/symbols.h"

namespace kinst::kernel {

/// Reading takes tens of milliseconds, and many programs need no symbols.
class LazySymbols {
 public:
  /// The symbols, owned here; or why they cannot be had, the same at each call.
  const Result<Symbols>& get() {
    if (!symbols_) {
      symbols_.emplace(Symbols::read());
    }
    return *symbols_;
  }

 private:
  std::optional<Result<Symbols>> symbols_;
};

}  // namespace kinst::kernel
