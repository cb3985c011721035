// The fbt provider: fbt:<module>:<function>:entry and :return.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "kernel/code/function_reader.h"
#include "kernel/symbols/lazy_symbols.h"
#include "kernel/symbols/traceable_functions.h"
#include "provider/provider.h"
#include "types/kernel_types.h"

namespace kinst::provider {

/// Provides the functions that ftrace can trace. At a return, arg1 is the result; arg0
/// is -1, because the return instruction is not known.
class FbtProvider final : public Provider {
 public:
  /// reader: finds out why a function cannot be traced.
  FbtProvider(Purpose purpose, kernel::LazySymbols& symbols,
              kernel::FunctionReader& reader, types::KernelTypes& types,
              types::TypeTable& table)
      : purpose_(purpose),
        symbols_(&symbols),
        reader_(&reader),
        types_(&types),
        table_(&table) {}

  [[nodiscard]] std::string_view name() const override { return "fbt"; }
  Result<Match> match(const d::Description& description) override;
  [[nodiscard]] Match coming(const d::Description& description) override;
  /// Reads the arguments from the kernel's BTF.
  [[nodiscard]] std::vector<ProbeArgument> arguments(const Probe& probe) const override;

 private:
  static Result<Match> match_names(const d::Description& description,
                                   const kernel::TraceableFunctions& functions);
  Result<Match> match_symbols(const d::Description& description,
                              const kernel::TraceableFunctions& functions) const;

  [[nodiscard]] std::string why_none(const d::Description& description,
                                     const kernel::TraceableFunctions& functions) const;
  void tell_others(const d::Description& description,
                   std::span<const kernel::Symbol> all, Match& found) const;
  [[nodiscard]] std::string why_not(const kernel::Symbol& function) const;

  Purpose purpose_;
  kernel::LazySymbols* symbols_;
  kernel::FunctionReader* reader_;
  types::KernelTypes* types_;
  types::TypeTable* table_;
  std::optional<Result<kernel::TraceableFunctions>> functions_;
};

}  // namespace kinst::provider
