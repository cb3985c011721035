// The kinst provider: every instruction of the kernel is a probe,
// kinst:MODULE:FUNCTION:OFFSET.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/isa.h"
#include "kernel/function.h"
#include "kernel/lazy_symbols.h"
#include "kernel/live_probes.h"
#include "kernel/probeable.h"
#include "provider/provider.h"
#include "provider/selector.h"

namespace kinst::provider {

/// A function as the provider sees it: taken apart, and with a verdict on the whole.
struct Candidate {
  kernel::Function function;
  std::optional<kernel::Refused> refused;
};

/// What `selector` means in these functions.
/// Returns probes and skipped ones; together they are all instructions that the
/// selector means.
/// Errors: an offset that was asked for cannot be traced in any of the functions, with
/// the reason and what would work.
Result<Match> select(std::span<const Candidate> candidates, const Selector& selector,
                     const kernel::Symbols& symbols, const kernel::ProbeRules& rules,
                     const isa::Isa& isa);

class KinstProvider final : public Provider {
 public:
  /// most_probes: a description that means more is refused; 0 for no limit.
  KinstProvider(kernel::LazySymbols& symbols, const isa::Isa& isa,
                std::size_t most_probes)
      : symbols_(&symbols), isa_(&isa), most_probes_(most_probes) {}

  [[nodiscard]] std::string_view name() const override { return "kinst"; }
  [[nodiscard]] bool is_on_demand() const override { return true; }
  Result<Match> match(const d::Description& description) override;

 private:
  /// What is read of the kernel when the first function is asked for.
  struct Kernel {
    std::unique_ptr<kernel::Memory> memory;
    kernel::ProbeRules rules;
    std::vector<kernel::LiveProbe> probes;
  };

  Result<const Kernel*> kernel_for(const kernel::Symbols& symbols);
  Result<std::vector<Candidate>> read_candidates(
      const kernel::Symbols& symbols, std::span<const kernel::Symbol* const> functions);
  [[nodiscard]] Result<void> check_limit(const d::Description& description,
                                         std::size_t count,
                                         std::string_view what) const;

  kernel::LazySymbols* symbols_;
  const isa::Isa* isa_;
  std::size_t most_probes_;
  std::optional<Kernel> kernel_;
  std::unordered_map<std::uint64_t, std::string> names_;  ///< by function address
};

}  // namespace kinst::provider
