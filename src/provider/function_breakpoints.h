// The instructions at which the ends of a function can be traced by breakpoints, where
// the kernel has no fast way to trace functions, or none that tells what is wanted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "isa/isa.h"
#include "kernel/function_reader.h"
#include "kernel/lazy_symbols.h"
#include "kernel/probeable.h"
#include "kernel/symbols.h"
#include "provider/probe.h"

namespace kinst::provider {

/// What a function's code offers.
struct FunctionBreakpoints {
  /// The first instruction behind the tracer's call, where the arguments still are what
  /// they were; nothing where that is no good place, as where a loop goes back to it.
  std::optional<KernelAddress> entry;
  /// All instructions that leave the function; empty if one of them cannot be traced.
  std::vector<FunctionBreakpoint> returns;
  /// Why there are no returns.
  std::string why_no_returns;

  /// Whether every one of the returns has a result: none is a tail call.
  [[nodiscard]] bool have_results() const;

  bool operator==(const FunctionBreakpoints&) const = default;
};

/// parts: the function and what the compiler split off it, each with the verdict on it.
FunctionBreakpoints find_breakpoints(std::span<const kernel::ExaminedFunction> parts,
                                     const kernel::Symbols& symbols,
                                     const kernel::ProbeRules& rules,
                                     const isa::Isa& isa);

/// Reads functions of the running kernel and finds their breakpoints.
class BreakpointFinder {
 public:
  BreakpointFinder(kernel::LazySymbols& symbols, kernel::FunctionReader& reader,
                   const isa::Isa& isa)
      : symbols_(&symbols), reader_(&reader), isa_(&isa) {}

  /// Of the function that begins at `address`; owned here.
  /// Errors: no symbols, memory that cannot be read.
  Result<const FunctionBreakpoints*> find(KernelAddress address);

 private:
  Result<std::vector<kernel::ExaminedFunction>> read_parts(
      KernelAddress address, const kernel::Symbols& symbols);

  kernel::LazySymbols* symbols_;
  kernel::FunctionReader* reader_;
  const isa::Isa* isa_;
  std::unordered_map<std::uint64_t, FunctionBreakpoints> found_;  ///< by address
};

}  // namespace kinst::provider
