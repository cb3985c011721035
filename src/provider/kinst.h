// The kinst provider: every instruction of the kernel is a probe,
// kinst:MODULE:FUNCTION:OFFSET.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/isa.h"
#include "kernel/function_reader.h"
#include "kernel/lazy_debug_information.h"
#include "kernel/lazy_symbols.h"
#include "kernel/probeable.h"
#include "provider/provider.h"
#include "provider/selector.h"

namespace kinst::provider {

/// What `selector` means in these functions.
/// Returns probes and skipped ones; together they are all instructions that the
/// selector means.
/// Errors: an offset that was asked for cannot be traced in any of the functions, with
/// the reason and what would work.
Result<Match> select(std::span<const kernel::ExaminedFunction> functions,
                     const Selector& selector, const kernel::Symbols& symbols,
                     const kernel::ProbeRules& rules, const isa::Isa& isa);

class KinstProvider final : public Provider {
 public:
  /// most_probes: a description that means more is refused; 0 for no limit.
  KinstProvider(kernel::LazySymbols& symbols, kernel::LazyDebugInformation& debug,
                const isa::Isa& isa, std::size_t most_probes)
      : symbols_(&symbols),
        debug_(&debug),
        isa_(&isa),
        most_probes_(most_probes),
        reader_(isa) {}

  [[nodiscard]] std::string_view name() const override { return "kinst"; }
  [[nodiscard]] bool is_on_demand() const override { return true; }
  Result<Match> match(const d::Description& description) override;

 private:
  Result<Match> match_line(std::span<const kernel::ExaminedFunction> functions,
                           const OfSourceLine& wanted, const kernel::Symbols& symbols);
  Result<Match> match_inlined(const d::Description& description,
                              const Selector& selector, const kernel::Symbols& symbols);
  Result<Match> match_nothing(const d::Description& description,
                              const Selector& selector, const kernel::Symbols& symbols);
  void name_by_first_use(std::vector<kernel::ExaminedFunction>& functions);
  [[nodiscard]] Result<void> check_limit(const d::Description& description,
                                         std::size_t count,
                                         std::string_view what) const;

  kernel::LazySymbols* symbols_;
  kernel::LazyDebugInformation* debug_;
  const isa::Isa* isa_;
  std::size_t most_probes_;
  kernel::FunctionReader reader_;
  std::unordered_map<std::uint64_t, std::string> names_;  ///< by function address
};

}  // namespace kinst::provider
