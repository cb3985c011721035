// The kinst provider: every instruction of the kernel is a probe,
// kinst:MODULE:FUNCTION:OFFSET.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "isa/isa.h"
#include "kernel/code/function_reader.h"
#include "kernel/code/probeable.h"
#include "kernel/debug/lazy_debug_information.h"
#include "kernel/symbols/lazy_symbols.h"
#include "provider/kernel/selector.h"
#include "provider/provider.h"
#include "types/kernel_types.h"

namespace kinst::provider {

/// The instructions that `selector` matches in the functions: as probes, or as skipped
/// if they cannot be traced.
/// Errors: the selector is an offset that cannot be traced in any of the functions; the
/// message gives the reason and what would work.
Result<Match> select(std::span<const kernel::ExaminedFunction> functions,
                     const Selector& selector, const kernel::Symbols& symbols,
                     const kernel::ProbeRules& rules, const isa::Isa& isa);

/// What the provider reads the kernel's code with; what it refers to must outlive the
/// provider.
struct KernelReading {
  kernel::LazySymbols& symbols;
  kernel::FunctionReader& functions;
  kernel::LazyDebugInformation& debug;
  /// Called for each function when a description matches several; may stop the reading.
  ProgressReport progress;
};

class KinstProvider final : public Provider {
 public:
  /// most_probes: a description that matches more probes is refused; 0 for no limit.
  KinstProvider(KernelReading kernel, types::KernelTypes& types, const isa::Isa& isa,
                std::size_t most_probes)
      : kernel_(std::move(kernel)),
        types_(&types),
        isa_(&isa),
        most_probes_(most_probes) {}

  [[nodiscard]] std::string_view name() const override { return "kinst"; }
  [[nodiscard]] bool is_on_demand() const override { return true; }
  Result<Match> match(const d::Description& description) override;
  [[nodiscard]] Match coming(const d::Description& description) override;
  /// The function's parameters, at its entry only, from the kernel's BTF.
  [[nodiscard]] std::vector<ProbeArgument> arguments(const Probe& probe) const override;

 private:
  Result<Match> match_functions(const d::Description& description,
                                std::span<const kernel::Symbol> matching,
                                const Selector& selector);
  void tell_siblings(const d::Description& description, const Selector& selector,
                     const kernel::Symbols& symbols, Match& found);

  // These use debug information (kinst_source.cpp).
  Result<AtAddresses> addresses_in(const kernel::Function& function,
                                   const OfSourceLine& wanted, std::string& why_none);
  Result<Match> match_line(const d::Description& description,
                           const OfSourceLine& wanted, const kernel::Symbols& symbols);
  Result<Match> match_inlined(const d::Description& description,
                              const Selector& selector, const kernel::Symbols& symbols);
  Result<Match> match_copies(const d::Description& description,
                             const Selector& selector, std::string_view module,
                             const kernel::Symbols& symbols);

  Result<Match> match_nothing(const d::Description& description,
                              const Selector& selector, const kernel::Symbols& symbols);
  void name_by_first_use(kernel::Function& function);
  [[nodiscard]] Result<void> check_limit(const d::Description& description,
                                         std::size_t count,
                                         std::size_t functions) const;

  KernelReading kernel_;
  types::KernelTypes* types_;
  const isa::Isa* isa_;
  std::size_t most_probes_;
  std::unordered_map<std::uint64_t, std::string> names_;  ///< by function address
  std::set<std::string> told_siblings_;                   ///< "module:function"
};

}  // namespace kinst::provider
