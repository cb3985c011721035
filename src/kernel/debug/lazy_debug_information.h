// Debug information of the kernel and its modules, each opened when it is first asked
// for and once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "isa/isa.h"
#include "kernel/debug/debug_information.h"
#include "kernel/symbols/lazy_symbols.h"

namespace kinst::kernel {

class LazyDebugInformation {
 public:
  /// What it is made from must outlive it.
  LazyDebugInformation(LazySymbols& symbols, const isa::Isa& isa)
      : symbols_(&symbols), isa_(&isa) {}

  /// Of "vmlinux" or a module, owned here; or why there is none, the same at each call.
  Result<const DebugInformation*> get(std::string_view module) {
    auto found = opened_.find(module);
    if (found == opened_.end()) {
      found = opened_.emplace(std::string(module), open(module)).first;
    }
    if (!found->second) {
      return tl::unexpected(found->second.error());
    }
    return found->second->get();
  }

  /// The same if it is open already; else null.
  [[nodiscard]] const DebugInformation* opened(std::string_view module) const {
    const auto found = opened_.find(module);
    return found == opened_.end() || !found->second ? nullptr : found->second->get();
  }

 private:
  using Opened = Result<std::unique_ptr<DebugInformation>>;

  Opened open(std::string_view module) {
    const auto& symbols = symbols_->get();
    if (!symbols) {
      return tl::unexpected(symbols.error());
    }
    return DebugInformation::open(module, *symbols, *isa_);
  }

  LazySymbols* symbols_;
  const isa::Isa* isa_;
  std::map<std::string, Opened, std::less<>> opened_;
};

}  // namespace kinst::kernel
