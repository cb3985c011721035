// Reads functions of the running kernel, and says of each instruction whether it can be
// traced. The kinst provider and the disassembly both start here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isa/isa.h"
#include "kernel/code/function.h"
#include "kernel/code/live_probes.h"
#include "kernel/code/probeable.h"
#include "kernel/code/tracer_sites.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/lazy_symbols.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// A function. `refused`: why no instruction of it can be traced, if that is so.
struct ExaminedFunction {
  Function function;
  std::optional<Refused> refused;
  /// The sites in the function that the kernel patches.
  PatchedSites sites;

  /// Why this one of its instructions cannot be traced; nothing if it can.
  [[nodiscard]] std::optional<Refused> refusal(const isa::Instruction& instruction,
                                               const ProbeRules& rules,
                                               const isa::Isa& isa) const;
};

/// Reads functions. The kernel's memory and tables are opened with the first function,
/// the tables of modules with the first function of a module.
class FunctionReader {
 public:
  explicit FunctionReader(const isa::Isa& isa) : isa_(&isa) {}

  /// The function at this symbol. Errors: memory that cannot be read.
  Result<ExaminedFunction> read(const Symbols& symbols, const Symbol& symbol);

  /// The functions at these symbols. Symbols at one address are one function.
  /// Errors: memory that cannot be read.
  Result<std::vector<ExaminedFunction>> read(const Symbols& symbols,
                                             std::span<const Symbol> functions);

  /// The rules that the functions were judged by. Only after the first read().
  [[nodiscard]] const ProbeRules& rules() const { return kernel_->rules; }

 private:
  struct Kernel {
    std::unique_ptr<const Memory> memory;
    ProbeRules rules;
    std::vector<LiveProbe> probes;
    bool knows_modules = false;
    std::optional<TracerSites> tracer_sites;  ///< if they were asked for
  };

  Result<Kernel*> kernel_with(const Symbols& symbols);
  Result<Function> decode(Kernel& kernel, const Symbols& symbols, const Symbol& symbol,
                          const Function* base);
  Result<void> find_faults(Kernel& kernel, const Symbols& symbols,
                           const Function& function);

  const isa::Isa* isa_;
  std::optional<Kernel> kernel_;
};

}  // namespace kinst::kernel
