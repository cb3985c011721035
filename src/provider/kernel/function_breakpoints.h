// Finds the instructions at which the ends of a function can be traced by breakpoints.
// This is for kernels that have no fast way to trace functions, and for programs that
// need what the fast ways do not tell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "isa/isa.h"
#include "kernel/code/function_reader.h"
#include "kernel/code/probeable.h"
#include "kernel/symbols/lazy_symbols.h"
#include "kernel/symbols/symbols.h"
#include "provider/tracing.h"

namespace kinst::provider {

/// The breakpoints of one function.
struct FunctionBreakpoints {
  /// The instruction behind the function tracer's call, where the arguments are still
  /// unchanged. Nothing if a breakpoint there would fire at the wrong times, for
  /// example if a loop jumps back to it.
  std::optional<KernelAddress> entry;
  /// All instructions that leave the function. Empty if one of them cannot be traced.
  std::vector<FunctionBreakpoint> returns;
  /// Why `returns` is empty.
  std::string why_no_returns;

  /// Whether the result is known at all returns, so that none is a tail call.
  [[nodiscard]] bool have_results() const;

  bool operator==(const FunctionBreakpoints&) const = default;
};

/// Finds the breakpoints of a function.
/// parts: the function and the parts that the compiler split off it, each examined.
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

  /// The breakpoints of the function that begins at `address`; owned by this.
  /// Errors: there are no symbols; memory cannot be read.
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
